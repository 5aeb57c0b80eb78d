"""An aspect that predicts the kernels of the CUDA and HIP sources of a build.

    bazel build //... --aspects=//tools:gpu_estimate.bzl%gpu_estimate_aspect \\
        --output_groups=gpu_estimate --action_env=PATH \\
        --define=gpu_estimate_gpu=nvidia-h200
    gpu-estimate report $(find bazel-out/ -name '*.gpu-estimate.jsonl')

It visits the rules of rules_cuda (cuda_library, cuda_objects) and every other
rule with sources of CUDA or HIP. The compiler does not run for it, and no object
changes: each source has an action of its own, with the macros and folders of
includes that the rule and its dependencies give. Actions are cached as any
other. A source without an estimate leaves an empty record and the reason in
its log, and does not fail the build.
"""

_EXTENSIONS = ["cu", "hip"]

def _flags(target, ctx):
    """What of the rule changes device code, as arguments of clang."""
    flags = []
    for option in getattr(ctx.rule.attr, "copts", []):
        if option.startswith(("-D", "-U", "-I", "-std=", "-ffast-math")):
            flags.append(option)
    for define in getattr(ctx.rule.attr, "defines", []) + getattr(ctx.rule.attr, "local_defines", []):
        flags.append("-D" + define)
    if CcInfo in target:
        context = target[CcInfo].compilation_context
        flags += ["-D" + define for define in context.defines.to_list()]
        for folders, option in [(context.includes, "-I"), (context.system_includes, "-isystem"), (context.quote_includes, "-iquote")]:
            for folder in folders.to_list():
                flags += [option, folder] if option != "-I" else [option + folder]
    return flags

def _headers(target, ctx):
    files = [depset(ctx.rule.files.srcs)]
    if hasattr(ctx.rule.files, "hdrs"):
        files.append(depset(ctx.rule.files.hdrs))
    if CcInfo in target:
        files.append(target[CcInfo].compilation_context.headers)
    return depset(transitive = files)

def _gpu_estimate_aspect_impl(target, ctx):
    records = []
    if hasattr(ctx.rule.files, "srcs"):
        inputs = _headers(target, ctx)
        flags = _flags(target, ctx)
        gpu = ctx.var.get("gpu_estimate_gpu", "nvidia-h100-sxm")
        for source in ctx.rule.files.srcs:
            if source.extension not in _EXTENSIONS:
                continue
            name = "%s/%s.gpu-estimate" % (ctx.label.name, source.basename)
            record = ctx.actions.declare_file(name + ".jsonl")
            log = ctx.actions.declare_file(name + ".log")
            ctx.actions.run_shell(
                inputs = inputs,
                outputs = [record, log],
                mnemonic = "GpuEstimate",
                progress_message = "Predicting kernels of %s" % source.short_path,
                use_default_shell_env = True,
                # Status 1: a budget is exceeded; 3: there is no estimate.
                command = """record=$1 log=$2; shift 2
touch "$record"
gpu-estimate analyze "$@" >"$log" 2>&1
case $? in 0|1|3) ;; *) cat "$log" >&2; exit 1 ;; esac
# Names relative to the workspace; the folder of the action is deleted.
sed -i "s,$PWD/,,g; s,$PWD,.,g" "$record" "$log\"""",
                arguments = [record.path, log.path, source.path, "--gpu", gpu, "--json", record.path, "--"] + flags,
            )
            records.append(record)
    below = [
        dependency[OutputGroupInfo].gpu_estimate
        for dependency in getattr(ctx.rule.attr, "deps", [])
        if OutputGroupInfo in dependency and hasattr(dependency[OutputGroupInfo], "gpu_estimate")
    ]
    return [OutputGroupInfo(gpu_estimate = depset(records, transitive = below))]

gpu_estimate_aspect = aspect(
    implementation = _gpu_estimate_aspect_impl,
    attr_aspects = ["deps"],
)
