/* SPDX-License-Identifier: MIT */
/**
 * \file OpenCL as it is found at run time: libOpenCL.so.1 is opened with dlopen, never linked. OpenCL 1.2 calls only.
 * Thread rule: a loaded table is unchanging; OpenCL's own rules hold for the calls.
 */
#ifndef RG_BACKEND_OPENCL_LOADER_H
#define RG_BACKEND_OPENCL_LOADER_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/context.h"

/** Calls that are used: REQ must be there, OPT may be missing (then NULL). */
#define RG_OPENCL_CALLS(REQ, OPT)  \
    REQ(clGetPlatformIDs)          \
    REQ(clGetPlatformInfo)         \
    REQ(clGetDeviceIDs)            \
    REQ(clGetDeviceInfo)           \
    REQ(clCreateContext)           \
    REQ(clReleaseContext)          \
    REQ(clCreateCommandQueue)      \
    REQ(clReleaseCommandQueue)     \
    REQ(clCreateBuffer)            \
    REQ(clCreateSubBuffer)         \
    REQ(clReleaseMemObject)        \
    REQ(clEnqueueReadBuffer)       \
    REQ(clEnqueueWriteBuffer)      \
    REQ(clCreateProgramWithSource) \
    REQ(clBuildProgram)            \
    REQ(clGetProgramBuildInfo)     \
    REQ(clGetProgramInfo)          \
    REQ(clReleaseProgram)          \
    REQ(clCreateKernel)            \
    REQ(clGetKernelInfo)           \
    REQ(clGetKernelWorkGroupInfo)  \
    REQ(clSetKernelArg)            \
    REQ(clReleaseKernel)           \
    REQ(clEnqueueNDRangeKernel)    \
    REQ(clWaitForEvents)           \
    REQ(clGetEventInfo)            \
    REQ(clGetEventProfilingInfo)   \
    REQ(clReleaseEvent)            \
    REQ(clFinish)                  \
    OPT(clGetKernelArgInfo)        \
    OPT(clEnqueueFillBuffer)

/** The loaded calls. */
struct rg_opencl_api {
    void *library;
#define RG_OPENCL_FIELD(name) __typeof__(name) *name;
    RG_OPENCL_CALLS(RG_OPENCL_FIELD, RG_OPENCL_FIELD)
#undef RG_OPENCL_FIELD
};

/**
 * Open the library and take its calls. The library is never unloaded: drivers leave threads behind that run in it.
 * \retval RIDGE_E_UNAVAILABLE  no library, or a call that is needed is missing; the message says what to install
 */
ridge_status rg_opencl_load(struct rg_opencl_api *api, struct ridge_error *error);

/** \return the name of an error code, "CL_OUT_OF_RESOURCES"; "an unknown OpenCL error" for others. */
const char *rg_opencl_error_name(cl_int code);

/** Set RIDGE_E_DEVICE: "<call> failed: CL_... (-5)", with the code in `native`. */
ridge_status rg_opencl_failed(struct ridge_error *error, cl_int code, const char *call);

#endif
