"""A stand-in for cuda_library of rules_cuda, with its attributes and its provider,
that compiles nothing."""

def _cuda_library_impl(ctx):
    context = cc_common.create_compilation_context(
        headers = depset(ctx.files.hdrs),
        defines = depset(ctx.attr.defines),
        includes = depset([ctx.label.package] if ctx.label.package else ["."]),
    )
    return [cc_common.merge_cc_infos(
        direct_cc_infos = [CcInfo(compilation_context = context)],
        cc_infos = [dependency[CcInfo] for dependency in ctx.attr.deps],
    )]

cuda_library = rule(
    implementation = _cuda_library_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = True),
        "hdrs": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
        "copts": attr.string_list(),
        "defines": attr.string_list(),
    },
)
