kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void saxpy(global const float *restrict x, global float *restrict y, float a) {
  int i = __builtin_amdgcn_workgroup_id_x() * 256 +
          __builtin_amdgcn_workitem_id_x();
  y[i] += a * x[i];
}
