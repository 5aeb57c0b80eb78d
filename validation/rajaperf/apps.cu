// Kernels of the apps group of the RAJA Performance Suite, written from their
// descriptions: double precision, 64-bit signed index, every pointer
// __restrict__, the block extents template arguments.
#include "sizes.h"

__constant__ double coefficients[16];

// The number of coefficients is not known to the compiler.
template <int Block>
__launch_bounds__(Block) __global__
    void fir(double *__restrict__ out, const double *__restrict__ in,
             Index coefflen, Index iend) {
  Index i = Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend) {
    double sum = 0.0;
    for (Index j = 0; j < coefflen; ++j)
      sum += coefficients[j] * in[i + j];
    out[i] = sum;
  }
}
FOR_BLOCK_SIZES(fir)

template <int BlockX, int BlockY, int BlockZ>
__launch_bounds__(BlockX *BlockY *BlockZ) __global__
    void ltimes_noview(double *__restrict__ phidat,
                       const double *__restrict__ elldat,
                       const double *__restrict__ psidat, Index num_d,
                       Index num_m, Index num_g, Index num_z) {
  Index m = Index(blockIdx.x) * BlockX + threadIdx.x;
  Index g = Index(blockIdx.y) * BlockY + threadIdx.y;
  Index z = Index(blockIdx.z) * BlockZ + threadIdx.z;
  if (m < num_m && g < num_g && z < num_z)
    for (Index d = 0; d < num_d; ++d)
      phidat[m + num_m * (g + num_g * z)] +=
          elldat[d + num_d * m] * psidat[d + num_d * (g + num_g * z)];
}
typedef void Ltimes(double *, const double *, const double *, Index, Index,
                    Index, Index);
template __global__ Ltimes ltimes_noview<32, 2, 2>;
template __global__ Ltimes ltimes_noview<32, 4, 2>;
template __global__ Ltimes ltimes_noview<32, 4, 4>;
template __global__ Ltimes ltimes_noview<32, 8, 4>;

// Volume of a hexahedron by the long diagonal (Grandy 1997): twelve times it is
// the sum of three triple products. The suite passes a pointer per corner and
// coordinate, all into three arrays; here a corner is an offset that the
// compiler does not know, so that each access keeps its own address.
template <int Block>
__launch_bounds__(Block) __global__
    void vol3d(double *__restrict__ vol, const double *__restrict__ x,
               const double *__restrict__ y, const double *__restrict__ z,
               Index o1, Index o2, Index o3, Index o4, Index o5, Index o6,
               Index o7, double vnormq, Index ibegin, Index iend) {
  Index i = ibegin + Index(blockIdx.x) * Block + threadIdx.x;
  if (i < iend) {
    double x71 = x[i + o7] - x[i + o1], x72 = x[i + o7] - x[i + o2];
    double x74 = x[i + o7] - x[i + o4], x30 = x[i + o3] - x[i];
    double x50 = x[i + o5] - x[i], x60 = x[i + o6] - x[i];
    double y71 = y[i + o7] - y[i + o1], y72 = y[i + o7] - y[i + o2];
    double y74 = y[i + o7] - y[i + o4], y30 = y[i + o3] - y[i];
    double y50 = y[i + o5] - y[i], y60 = y[i + o6] - y[i];
    double z71 = z[i + o7] - z[i + o1], z72 = z[i + o7] - z[i + o2];
    double z74 = z[i + o7] - z[i + o4], z30 = z[i + o3] - z[i];
    double z50 = z[i + o5] - z[i], z60 = z[i + o6] - z[i];
    double triple1 = (x71 + x60) * (y72 * z30 - z72 * y30) +
                     (y71 + y60) * (z72 * x30 - x72 * z30) +
                     (z71 + z60) * (x72 * y30 - y72 * x30);
    double triple2 = (x72 + x50) * (y74 * z60 - z74 * y60) +
                     (y72 + y50) * (z74 * x60 - x74 * z60) +
                     (z72 + z50) * (x74 * y60 - y74 * x60);
    double triple3 = (x74 + x30) * (y71 * z50 - z71 * y50) +
                     (y74 + y30) * (z71 * x50 - x71 * z50) +
                     (z74 + z30) * (x71 * y50 - y71 * x50);
    vol[i] = (triple1 + triple2 + triple3) * vnormq;
  }
}
FOR_BLOCK_SIZES(vol3d)

// Divergence of the velocity in a quadrilateral zone. The suite reads the index
// of the zone from a list; here the list holds how many ghost zones lie before
// it, so that the loads and their addresses are the same and one number, the
// list's mean, says what the data are. Corner 4 is at the zone itself; the
// others are offsets for the same reason as above.
template <int Block>
__launch_bounds__(Block) __global__
    void deldotvec2d(double *__restrict__ div, const double *__restrict__ x,
                     const double *__restrict__ y,
                     const double *__restrict__ xdot,
                     const double *__restrict__ ydot, Index o1, Index o2,
                     Index o3, const Index *__restrict__ ghosts, double half,
                     double ptiny, Index iend) {
  Index entry = Index(blockIdx.x) * Block + threadIdx.x;
  if (entry < iend) {
    Index i = entry + ghosts[entry];
    double x1 = x[i + o1], x2 = x[i + o2], x3 = x[i + o3], x4 = x[i];
    double y1 = y[i + o1], y2 = y[i + o2], y3 = y[i + o3], y4 = y[i];
    double u1 = xdot[i + o1], u2 = xdot[i + o2];
    double u3 = xdot[i + o3], u4 = xdot[i];
    double v1 = ydot[i + o1], v2 = ydot[i + o2];
    double v3 = ydot[i + o3], v4 = ydot[i];
    double xi = half * (x1 + x2 - x3 - x4), xj = half * (x2 + x3 - x4 - x1);
    double yi = half * (y1 + y2 - y3 - y4), yj = half * (y2 + y3 - y4 - y1);
    double ui = half * (u1 + u2 - u3 - u4), uj = half * (u2 + u3 - u4 - u1);
    double vi = half * (v1 + v2 - v3 - v4), vj = half * (v2 + v3 - v4 - v1);
    double inverse_area = 1.0 / (xi * yj - xj * yi + ptiny);
    double dudx = inverse_area * (ui * yj - uj * yi);
    double dvdy = inverse_area * (vj * xi - vi * xj);
    double affine = (v1 + v2 + v3 + v4) / (y1 + y2 + y3 + y4);
    div[i] = dudx + dvdy + affine;
  }
}
FOR_BLOCK_SIZES(deldotvec2d)
