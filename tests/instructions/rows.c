/* SPDX-License-Identifier: MIT */
/** \file The one table: what each instruction means. The first row that takes a spelling has it; none: the test fails. */
#include "instruction.h"

#define ROUND   "?rn,rz,rm,rp"
#define INTEGER "u16,u32,u64,s16,s32,s64"
#define CARRY   "u32,u64,s32,s64"
#define BITS    "b16,b32,b64"
#define FLOAT   "f16,bf16,f16x2,bf16x2,f32,f64"
#define ANY     BITS "," INTEGER ",f32,f64"
#define ORDER   "eq,ne,lt,le,gt,ge,lo,ls,hi,hs,equ,neu,ltu,leu,gtu,geu,num,nan"
#define JOIN    "?and,or,xor"
#define EVERY   "u8,s8,u16,s16,u32,s32,u64,s64,f16,bf16,f32,f64"
#define MEMORY  "b8,b16,b32,b64,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64"
#define HINTS                                                                                          \
    "?weak,volatile,relaxed,acquire,release ?cta,cluster,gpu,sys "                                     \
    "?global,shared,shared::cta,local,const,param,param::entry,param::func ?ca,cg,cs,lu,cv,wb,wt ?nc " \
    "?L1::evict_normal,L1::evict_unchanged,L1::evict_first,L1::evict_last,L1::no_allocate "            \
    "?L2::cache_hint ?L2::64B,L2::128B,L2::256B ?v2,v4 "
#define ATOM   "?relaxed,acquire,release,acq_rel ?cta,cluster,gpu,sys ?global,shared,shared::cta "
#define PLACE  "?global,shared,shared::cta "
#define MMA    "sync aligned m16n8k4,m16n8k8,m16n8k16,m16n8k32,m8n8k4 "
#define SHAPES "m16n16k16,m32n8k16,m8n32k16,m16n16k8,m8n8k4 "
#define LANES(opcode, words, operands, definition)                      \
    {                                                                   \
        opcode, words, operands, define_##definition, NULL, check_lanes \
    }
#define NEAR(opcode, words, operands)                            \
    {                                                            \
        opcode, words, operands, NULL, approve_near, check_lanes \
    }
#define CHECKED(opcode, words, way)                \
    {                                              \
        opcode, words, "", NULL, NULL, check_##way \
    }
#define TEXT(opcode, words, body, definition)                      \
    {                                                              \
        opcode, words, body, define_##definition, NULL, check_text \
    }

/* Lines of several rows. Each thread writes its number to shared memory; one of the other end is read behind a barrier. */
#define SLOT4 "mul.wide.u32 %l1, %t, 4;\nmov.u64 %l0, s;\nadd.u64 %l1, %l1, %l0;\nst.shared.u32 [%l1], %t;\n"
#define MIRROR(at) \
    SLOT4 at "sub.u32 %x, 63, %t;\nmul.wide.u32 %l1, %x, 4;\nadd.u64 %l1, %l1, %l0;\nld.shared.u32 %r, [%l1];"
#define WARP_MIRROR \
    SLOT4 "$ -1;\nxor.b32 %x, %t, 31;\nmul.wide.u32 %l1, %x, 4;\nadd.u64 %l1, %l1, %l0;\nld.shared.u32 %r, [%l1];"
#define PRODUCE                                                                                           \
    SLOT4 "mov.u32 %r, 3;\nsetp.lt.u32 %p, %t, 32;\n@!%p bra L;\n$ 1, 64;\nbra M;\nL:\nbar.sync 1, 64;\n" \
          "ld.shared.u32 %r, [%l1+-128];\nM:"
#define REDUCE                                                                                 \
    "setp.lt.u32 %p, %t, 64;\n$ %q, 1, %p;\nselp.u32 %r, 1, 0, %q;\nsetp.eq.u32 %p, %t, 63;\n" \
    "$ %q, 1, 64, %p;\nselp.u32 %x, 2, 0, %q;\nadd.u32 %r, %r, %x;\nsetp.eq.u32 %p, %t, 99;\n" \
    "$ %q, 1, %p;\nselp.u32 %x, 4, 0, %q;\nadd.u32 %r, %r, %x;"
#define COPY_BEGIN                                                                                              \
    "mul.wide.u32 %l0, %i, 16;\nadd.u64 %l0, %l0, %base;\nadd.u64 %l0, %l0, 4096;\nmul.wide.u32 %l1, %t, 16;\n" \
    "mov.u64 %l2, s;\nadd.u64 %l1, %l1, %l2;\n"
#define ADD_WORD(at, times) "ld.shared.u32 %x, [%l1+" at "];\nmul.lo.u32 %x, %x, " #times ";\nadd.u32 %r, %r, %x;\n"
#define CLEAR \
    "mov.u32 %x, 0;\nst.shared.u32 [%l1], %x;\nst.shared.u32 [%l1+4], %x;\nst.shared.u32 [%l1+8], %x;\nst.shared.u32 [%l1+12], %x;\n"
#define COPY(bytes, more, times)                                                                             \
    CLEAR "$ [%l1], [%l0], " #bytes more ";\ncp.async.wait_all;\n" ADD_WORD("0", times) ADD_WORD("4", times) \
        ADD_WORD("8", times) ADD_WORD("12", times)
#define COPY_LATE(commit, wait)                                                                                      \
    "mov.u32 %y, 1;\nst.shared.u32 [%l1], %y;\ncp.async.ca.shared.global [%l1], [%l0], 4;\n" commit ADD_WORD("0", 1) \
        wait ADD_WORD("0", 10)

/* Barriers in memory: s+8 has one for the 64 threads of a block; %l0 is its address, %l1 where the thread writes. */
#define PHASE_BEGIN                                                                                                    \
    "mul.wide.u32 %l1, %t, 4;\nmov.u64 %l0, s;\nadd.u64 %l1, %l1, %l0;\nadd.u64 %l1, %l1, 64;\nadd.u64 %l0, %l0, 8;\n" \
    "st.shared.u32 [%l1], %t;\nmov.u64 %l4, %l0;\nsetp.eq.u32 %p, %t, 0;\n"
#define PHASE_SET  "@%p mbarrier.init.shared.b64 [%l4], 64;\nbar.sync 0;\n"
#define PHASE_WAIT "N:\nmbarrier.try_wait.shared.b64 %q, [%l4], %l2;\n@!%q bra N;\n"
#define PHASE_READ \
    "sub.u32 %x, 63, %t;\nmul.wide.u32 %l1, %x, 4;\nadd.u64 %l1, %l1, %l4;\nld.shared.u32 %r, [%l1+56];\n"
#define PHASES(words, body, definition)                                              \
    TEXT("mbarrier", words " shared,shared::cta b64", PHASE_BEGIN body, definition), \
        TEXT("mbarrier", words " b64", PHASE_BEGIN "cvta.shared.u64 %l0, %l0;\n" body, definition)
/* After 16 bytes a thread were copied; `arrive`: what the instruction itself does not count. */
#define PHASE_COPY_BEGIN \
    COPY_BEGIN CLEAR "mov.u64 %l4, s;\nadd.u64 %l4, %l4, 1024;\nmov.u64 %l5, %l4;\nsetp.eq.u32 %p, %t, 0;\n" PHASE_SET
#define PHASE_COPY_END(arrive)                                                                               \
    "cp.async.ca.shared.global [%l1], [%l0], 16;\n$ [%l5];\n" arrive                                         \
    "N:\nmbarrier.try_wait.parity.shared.b64 %q, [%l4], 0;\n@!%q bra N;\n" ADD_WORD("0", 1) ADD_WORD("4", 1) \
        ADD_WORD("8", 1) ADD_WORD("12", 1)
#define PHASE_COPY(words, arrive)                                                                                 \
    TEXT("cp", "async mbarrier arrive " words " shared,shared::cta b64", PHASE_COPY_BEGIN PHASE_COPY_END(arrive), \
         copied_whole),                                                                                           \
        TEXT("cp", "async mbarrier arrive " words " b64",                                                         \
             PHASE_COPY_BEGIN "cvta.shared.u64 %l5, %l5;\n" PHASE_COPY_END(arrive), copied_whole)
/* One thread has the 1024 bytes of a block copied; back: the same into what lies behind, in another order of steps. */
#define BULK_WAIT "N:\nmbarrier.try_wait.parity.shared.b64 %q, [%l4], 0;\n@!%q bra N;\n"
#define BULK_COPY(copy)                                                                         \
    COPY_BEGIN "mov.u64 %l4, s;\nmov.u64 %l3, %l4;\nadd.u64 %l4, %l4, 1024;\nmov.u64 %l6, 0;\n" \
               "setp.eq.u32 %p, %t, 0;\n@%p mbarrier.init.shared.b64 [%l4], 1;\nbar.sync 0;\n"  \
               "@%p mbarrier.arrive.expect_tx.shared.b64 %l5, [%l4], 1024;\n" copy BULK_WAIT
#define BULK(policy)                                          \
    BULK_COPY("@%p $ [%l3], [%l0], 1024, [%l4]" policy ";\n") \
    ADD_WORD("0", 1) ADD_WORD("4", 1) ADD_WORD("8", 1) ADD_WORD("12", 1)
#define BULK_BACK(copy)                                                                                                 \
    BULK_COPY("@%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%l3], [%l0], 1024, [%l4];\n")     \
    "bar.sync 0;\n@!%p bra M;\n@%p st.global.u32 [%l0], 1;\n@%p st.global.u32 [%l0+1020], 1;\n" copy                    \
    "M:\nbar.sync 0;\nld.global.u32 %x, [%l0];\nadd.u32 %r, %r, %x;\nld.global.u32 %x, [%l0+4];\nadd.u32 %r, %r, %x;\n" \
    "ld.global.u32 %x, [%l0+8];\nadd.u32 %r, %r, %x;\nld.global.u32 %x, [%l0+12];\nadd.u32 %r, %r, %x;\n"
#define SCOPES "?release,acquire,relaxed ?cta,cluster"

const struct row rows[] = {
    /* whole numbers */
    LANES("add", "?sat " INTEGER ",u16x2,s16x2", "T T T", integer),
    LANES("sub", "?sat " INTEGER, "T T T", integer),
    LANES("min", "?relu " INTEGER ",u16x2,s16x2", "T T T", integer),
    LANES("max", "?relu " INTEGER ",u16x2,s16x2", "T T T", integer),
    LANES("abs", "s16,s32,s64", "T T", integer),
    LANES("neg", "s16,s32,s64", "T T", integer),
    LANES("sad", INTEGER, "T T T T", integer),
    LANES("mul", "lo,hi " INTEGER, "T T T", multiply),
    LANES("mul", "wide " INTEGER, "W T T", multiply),
    LANES("mad", "lo,hi ?sat " INTEGER, "T T T T", multiply),
    LANES("mad", "wide " INTEGER, "W T T W", multiply),
    LANES("mul24", "lo,hi u32,s32", "T T T", multiply24),
    LANES("mad24", "lo,hi ?sat u32,s32", "T T T T", multiply24),
    LANES("div", INTEGER, "T T T", divide),
    LANES("rem", INTEGER, "T T T", divide),
    LANES("add", "cc " CARRY, "T T T c", carry),
    LANES("addc", "?cc " CARRY, "T T T c", carry),
    LANES("sub", "cc " CARRY, "T T T c", carry),
    LANES("subc", "?cc " CARRY, "T T T c", carry),
    LANES("mad", "lo,hi cc " CARRY, "T T T T c", carry),
    LANES("madc", "lo,hi ?cc " CARRY, "T T T T c", carry),
    LANES("dp4a", "u32,s32 u32,s32", "u32 A B u32", dot),
    LANES("dp2a", "lo,hi u32,s32 u32,s32", "u32 A B u32", dot),
    LANES("vabsdiff4", "u32,s32 u32,s32 u32,s32 ?add", "T T T T", distances),
    /* bits */
    LANES("and", BITS, "T T T", logic),
    LANES("or", BITS, "T T T", logic),
    LANES("xor", BITS, "T T T", logic),
    LANES("not", BITS, "T T", logic),
    LANES("cnot", BITS, "T T", logic),
    LANES("and", "pred", "p p p", logic),
    LANES("or", "pred", "p p p", logic),
    LANES("xor", "pred", "p p p", logic),
    LANES("not", "pred", "p p", logic),
    LANES("shl", BITS, "T T n", shift),
    LANES("shr", BITS "," INTEGER, "T T n", shift),
    LANES("shf", "l,r wrap,clamp b32", "T T T n", funnel),
    LANES("popc", "b32,b64", "u32 T", count),
    LANES("clz", "b32,b64", "u32 T", count),
    LANES("brev", "b32,b64", "T T", count),
    LANES("bfind", "?shiftamt " CARRY, "u32 T", count),
    LANES("bfe", CARRY, "T T n n", field),
    LANES("bmsk", "wrap,clamp b32", "T n n", field),
    LANES("szext", "wrap,clamp u32,s32", "T T n", field),
    LANES("bfi", "b32,b64", "T T T n n", insert),
    LANES("prmt", "b32 ?f4e,b4e,rc8,ecl,ecr,rc16", "T T T T", permute),
    LANES("lop3", "b32", "T T T T #256", table),
    /* moves and choices */
    LANES("mov", "pred", "p p", copy),
    {"mov", ANY, "T T", define_copy, NULL, check_move},
    LANES("selp", ANY, "T T T p", select),
    LANES("slct", "?ftz " ANY " s32,f32", "A A A B", select),
    LANES("set", ORDER " " JOIN " ?ftz u16,s16,u32,s32,f16,bf16,f16x2,bf16x2,f32 " ANY ",f16,bf16,f16x2,bf16x2",
          "A T T p?", set),
    LANES("setp", ORDER " " JOIN " ?ftz " ANY ",f16,bf16,f16x2,bf16x2", "p T T p?", compare),
    LANES("testp", "finite,infinite,number,notanumber,normal,subnormal f32,f64", "p T", testp),
    /* floats */
    LANES("add", ROUND " ?ftz ?sat " FLOAT, "T T T", float),
    LANES("sub", ROUND " ?ftz ?sat " FLOAT, "T T T", float),
    LANES("mul", ROUND " ?ftz ?sat " FLOAT, "T T T", float),
    LANES("fma", ROUND " ?ftz ?sat ?relu " FLOAT, "T T T T", float),
    LANES("mad", ROUND " ?ftz ?sat f32,f64", "T T T T", float),
    LANES("div", "rn,rz,rm,rp ?ftz f32,f64", "T T T", float),
    LANES("rcp", "rn,rz,rm,rp ?ftz f32,f64", "T T", float),
    LANES("sqrt", "rn,rz,rm,rp ?ftz f32,f64", "T T", float),
    LANES("abs", "?ftz " FLOAT, "T T", float),
    LANES("neg", "?ftz " FLOAT, "T T", float),
    LANES("min", "?ftz ?NaN ?xorsign ?abs " FLOAT, "T T T", float),
    LANES("max", "?ftz ?NaN ?xorsign ?abs " FLOAT, "T T T", float),
    LANES("copysign", "f32,f64", "T T T", copysign),
    NEAR("div", "approx,full ?ftz f32", "T T T"),
    NEAR("rcp", "approx ?ftz f32,f64", "T T"),
    NEAR("sqrt", "approx ?ftz f32", "T T"),
    NEAR("rsqrt", "approx ?ftz f32,f64", "T T"),
    NEAR("ex2", "approx ?ftz f32,f16,bf16,f16x2,bf16x2", "T T"),
    NEAR("lg2", "approx ?ftz f32", "T T"),
    NEAR("sin", "approx ?ftz f32", "T T"),
    NEAR("cos", "approx ?ftz f32", "T T"),
    NEAR("tanh", "approx f32,f16,bf16,f16x2,bf16x2", "T T"),
    LANES("cvt", "?rn,rz,rm,rp,rni,rzi,rmi,rpi ?ftz ?sat " EVERY " " EVERY, "A B", convert),
    LANES("cvt", "rn,rz ?relu ?satfinite f16,bf16,tf32 f32", "A B", convert),
    LANES("cvt", "rna ?satfinite tf32 f32", "A B", convert),
    LANES("cvt", "rn satfinite ?relu e4m3x2,e5m2x2 f32", "A B B", convert_bytes),
    LANES("cvt", "rn ?satfinite ?relu f16x2,e4m3x2,e5m2x2 f16x2,e4m3x2,e5m2x2", "A B", convert_bytes),
    LANES("cvt", "rn,rz ?relu ?satfinite f16x2,bf16x2 f32", "A B B", convert),
    /* memory */
    CHECKED("ld", HINTS MEMORY, access),
    CHECKED("ldu", HINTS MEMORY, access),
    CHECKED("st", HINTS MEMORY, access),
    {"atom",
     ATOM "add,and,or,xor,cas,exch,inc,dec,min,max ?noftz ?L2::cache_hint " BITS "," CARRY
          ",f16,f16x2,bf16,bf16x2,f32,f64",
     "", define_atom, NULL, check_atom},
    {"red",
     ATOM "add,and,or,xor,inc,dec,min,max ?noftz ?L2::cache_hint " BITS "," CARRY ",f16,f16x2,bf16,bf16x2,f32,f64", "",
     define_atom, NULL, check_atom},
    /* across a warp */
    CHECKED("shfl", "?sync up,down,bfly,idx b32", warp),
    CHECKED("vote", "?sync all,any,uni,ballot pred,b32", warp),
    CHECKED("match", "any,all sync b32,b64", warp),
    CHECKED("redux", "sync add,min,max,and,or,xor u32,s32,b32", warp),
    CHECKED("activemask", "b32", warp),
    CHECKED("elect", "sync", warp),
    /* matrices */
    CHECKED("mma",
            MMA "row col ?satfinite f16,f32,f64,s32 f16,bf16,tf32,f64,u8,s8 f16,bf16,tf32,f64,u8,s8 f16,f32,f64,s32",
            mma),
    CHECKED("ldmatrix", "sync aligned m8n8 x1,x2,x4 ?trans ?shared,shared::cta b16", ldmatrix),
    CHECKED("wmma", "load,store a,b,c,d sync aligned row,col " SHAPES PLACE "f16,bf16,u8,s8,tf32,f32,s32,f64",
            wmma_move),
    CHECKED("wmma",
            "mma sync aligned row,col row,col " SHAPES "?rn f16,f32,s32,f64 ?bf16,tf32,u8,s8,f64 ?bf16,tf32,u8,s8,f64 "
            "f16,f32,s32,f64 ?satfinite",
            wmma),
    /* ways through the text */
    TEXT("bra", "",
         "and.b32 %x, %t, 3;\nsetp.eq.u32 %p, %x, 1;\nmov.u32 %r, 5;\n@%p $ L;\nmov.u32 %r, 6;\n"
         "@!%p $ M;\nL:\nadd.u32 %r, %r, 10;\nM:",
         quarter),
    TEXT("bra", "uni", "N:\nadd.u32 %r, %r, 1;\nsetp.lt.u32 %p, %r, 3;\n@%p $ N;\n$ L;\nadd.u32 %r, %r, 1;\nL:", three),
    TEXT("brx", "idx",
         "rem.u32 %x, %t, 3;\nT: .branchtargets A, B, C;\n$ %x, T;\nA:\nmov.u32 %r, 10;\nbra D;\n"
         "B:\nmov.u32 %r, 11;\nbra D;\nC:\nmov.u32 %r, 12;\nD:",
         third),
    TEXT("brx", "idx uni",
         "mov.u32 %x, 1;\nT: .branchtargets A, B;\n$ %x, T;\nA:\nmov.u32 %r, 10;\nbra D;\n"
         "B:\nmov.u32 %r, 3;\nD:",
         three),
    TEXT("call", "?uni", ".func (.reg .b32 d) f(.reg .b32 a)\n{\nadd.u32 d, a, 7;\nret;\n}\n@@$ (%r), f, (%t);",
         plus_seven),
    TEXT("ret", "",
         ".func (.reg .b32 d) f(.reg .b32 a)\n{\n.reg .pred %p;\n.reg .b32 %x;\nand.b32 %x, a, 1;\n"
         "setp.ne.u32 %p, %x, 0;\nmov.b32 d, a;\n@%p $;\nadd.u32 d, d, 7;\n$;\n}\n@@call (%r), f, (%t);",
         even_plus_seven),
    TEXT("ret", "uni",
         ".func (.reg .b32 d) f(.reg .b32 a)\n{\nadd.u32 d, a, 7;\n$;\nadd.u32 d, d, 1;\n}\n"
         "@@call (%r), f, (%t);",
         plus_seven),
    TEXT("exit", "", "and.b32 %x, %t, 1;\nsetp.ne.u32 %p, %x, 0;\n@%p $;\nmov.u32 %r, 3;", ended),
    {"trap", "", "$;", define_three, NULL, check_trap},
    /* barriers and fences */
    TEXT("bar", "?cta sync", MIRROR("$ 0;\n"), mirrored),
    TEXT("bar", "?cta arrive", PRODUCE, produced),
    TEXT("bar", "?cta red popc u32", "rem.u32 %x, %t, 3;\nsetp.eq.u32 %p, %x, 0;\n$ %r, 1, %p;", counted),
    TEXT("bar", "?cta red and,or pred", REDUCE, all_any),
    TEXT("bar", "warp sync", WARP_MIRROR, warp_mirrored),
    TEXT("barrier", "?cta sync ?aligned", MIRROR("$ 2, 64;\n"), mirrored),
    TEXT("barrier", "?cta arrive ?aligned", PRODUCE, produced),
    TEXT("barrier", "?cta red popc ?aligned u32", "rem.u32 %x, %t, 3;\nsetp.eq.u32 %p, %x, 0;\n$ %r, 3, 64, %p;",
         counted),
    TEXT("barrier", "?cta red and,or ?aligned pred", REDUCE, all_any),
    TEXT("fence", "?sc,acq_rel,acquire,release cta,cluster,gpu,sys", "mov.u32 %r, 3;\n$;", three),
    TEXT("membar", "cta,gl,sys", "mov.u32 %r, 3;\n$;", three),
    TEXT("fence", "proxy async ?global,shared::cta,shared::cluster", "mov.u32 %r, 3;\n$;", three),
    TEXT("fence", "mbarrier_init release cluster", "mov.u32 %r, 3;\n$;", three),
    PHASES("init " SCOPES,
           "@%p $ [%l0], 64;\nbar.sync 0;\nmbarrier.arrive.shared.b64 %l2, [%l4];\n" PHASE_WAIT PHASE_READ, mirrored),
    PHASES("inval " SCOPES,
           PHASE_SET "bar.sync 0;\n@%p $ [%l0];\nbar.sync 0;\n" PHASE_SET
                     "mbarrier.arrive.shared.b64 %l2, [%l4];\n" PHASE_WAIT PHASE_READ,
           mirrored),
    PHASES("arrive " SCOPES,
           PHASE_SET "$ %l2, [%l0];\n" PHASE_WAIT "$ %l2, [%l0], 1;\n"
                     "M:\nmbarrier.test_wait.shared.b64 %q, [%l4], %l2;\n@!%q bra M;\n" PHASE_READ,
           mirrored),
    PHASES("arrive noComplete " SCOPES,
           "@%p mbarrier.init.shared.b64 [%l4], 192;\nbar.sync 0;\n$ %l2, [%l0], 2;\n"
           "mbarrier.arrive.shared.b64 %l2, [%l4];\n" PHASE_WAIT PHASE_READ,
           mirrored),
    PHASES("arrive_drop " SCOPES,
           PHASE_SET
           "setp.lt.u32 %p, %t, 32;\n@%p $ %l2, [%l0];\n@!%p mbarrier.arrive.shared.b64 %l2, [%l4];\n" PHASE_WAIT
           "bar.sync 0;\n@!%p mbarrier.arrive.shared.b64 %l2, [%l4];\n"
           "M:\nmbarrier.test_wait.parity.shared.b64 %q, [%l4], 1;\n@!%q bra M;\n" PHASE_READ,
           mirrored),
    PHASES("arrive_drop noComplete " SCOPES,
           "@%p mbarrier.init.shared.b64 [%l4], 65;\nbar.sync 0;\n@%p $ %l2, [%l0], 1;\n"
           "bar.sync 0;\nmbarrier.arrive.shared.b64 %l2, [%l4];\n" PHASE_WAIT "mbarrier.arrive.shared.b64 %l2, [%l4];\n"
           "M:\nmbarrier.test_wait.parity.shared.b64 %q, [%l4], 1;\n@!%q bra M;\n" PHASE_READ,
           mirrored),
    PHASES("arrive,arrive_drop expect_tx " SCOPES,
           PHASE_SET "@%p $ %l2, [%l0], 16;\n@!%p mbarrier.arrive.shared.b64 %l2, [%l4];\nbar.sync 0;\n"
                     "mov.u32 %y, 60;\nmbarrier.test_wait.shared.b64 %q, [%l4], %l2;\n@%q mov.u32 %y, 90;\n"
                     "@%p mbarrier.complete_tx.shared.b64 [%l4], 16;\n" PHASE_WAIT "sub.u32 %r, %y, 57;",
           three),
    PHASES("expect_tx " SCOPES,
           PHASE_SET "@%p $ [%l0], 16;\nbar.sync 0;\nmbarrier.arrive.shared.b64 %l2, [%l4];\n"
                     "mov.u32 %y, 60;\nmbarrier.test_wait.shared.b64 %q, [%l4], %l2;\n@%q mov.u32 %y, 90;\n"
                     "@%p mbarrier.complete_tx.shared.b64 [%l4], 16;\n" PHASE_WAIT "sub.u32 %r, %y, 57;",
           three),
    PHASES("complete_tx " SCOPES,
           PHASE_SET
           "@%p mbarrier.expect_tx.shared.b64 [%l4], 16;\nbar.sync 0;\nmbarrier.arrive.shared.b64 %l2, [%l4];\n"
           "mov.u32 %y, 60;\nmbarrier.test_wait.shared.b64 %q, [%l4], %l2;\n@%q mov.u32 %y, 90;\n"
           "@%p $ [%l0], 16;\n" PHASE_WAIT "sub.u32 %r, %y, 57;",
           three),
    PHASES("test_wait,try_wait " SCOPES,
           PHASE_SET "mbarrier.arrive.shared.b64 %l2, [%l4];\nN:\n$ %q, [%l0], %l2;\n@!%q bra N;\n" PHASE_READ,
           mirrored),
    PHASES("test_wait,try_wait parity " SCOPES,
           PHASE_SET "mbarrier.arrive.shared.b64 %l2, [%l4];\nN:\n$ %q, [%l0], 0;\n@!%q bra N;\n"
                     "$ %q, [%l0], 0;\n@!%q trap;\n" PHASE_READ,
           mirrored),
    TEXT("mbarrier", "pending_count b64",
         PHASE_BEGIN "@%p mbarrier.init.shared.b64 [%l4], 3;\n@%p mbarrier.arrive.shared.b64 %l2, [%l4], 2;\n"
                     "@%p mbarrier.arrive.shared.b64 %l3, [%l4];\nmov.u32 %r, 3;\nmov.u32 %x, 1;\n@%p $ %r, %l2;\n"
                     "@%p $ %x, %l3;\nsub.u32 %x, %x, 1;\nadd.u32 %r, %r, %x;",
         three),
    TEXT("cp", "async bulk shared::cluster,shared::cta global mbarrier::complete_tx::bytes", BULK(""), copied_whole),
    TEXT("cp", "async bulk shared::cluster,shared::cta global mbarrier::complete_tx::bytes L2::cache_hint",
         BULK(", %l6"), copied_whole),
    TEXT("cp", "async bulk global shared::cta bulk_group", BULK_BACK("$ [%l0], [%l3], 1024;\n"), copied_whole),
    TEXT("cp", "async bulk global shared::cta bulk_group L2::cache_hint", BULK_BACK("$ [%l0], [%l3], 1024, %l6;\n"),
         copied_whole),
    TEXT("cp", "async bulk commit_group", "mov.u32 %r, 3;\n$;", three),
    TEXT("cp", "async bulk wait_group ?read", "mov.u32 %r, 3;\n$ 0;", three),
    PHASE_COPY("noinc", ""),
    PHASE_COPY("", "mbarrier.arrive.shared.b64 %l2, [%l4];\n"),
    /* addresses and copies */
    TEXT("cvta", "shared,shared::cta u64",
         "mov.u64 %l0, s;\nst.shared.u32 [%l0+4], 5;\n$ %l1, %l0;\nld.u32 %r, [%l1+4];", five),
    TEXT("cvta", "global u64", "mov.u64 %l0, g;\n$ %l1, %l0;\nld.u32 %r, [%l1];", five),
    TEXT("cvta", "local u64", "mov.u64 %l0, l;\nst.local.u32 [%l0+4], 5;\n$ %l1, %l0;\nld.u32 %r, [%l1+4];", five),
    TEXT("cvta", "const u64", "mov.u64 %l0, c;\n$ %l1, %l0;\nld.u32 %r, [%l1];\nsub.u32 %r, %r, 1;", five),
    TEXT("cvta", "param u64",
         "mov.u64 %l0, p;\n$ %l1, %l0;\nld.u64 %l2, [%l1];\nsetp.eq.u64 %p, %l2, %base;\nselp.u32 %r, 5, 0, %p;", five),
    TEXT("cvta", "to shared,shared::cta u64",
         "mov.u64 %l0, s;\nst.shared.u32 [%l0+4], 5;\ncvta.shared.u64 %l1, %l0;\n$ %l2, %l1;\n"
         "ld.shared.u32 %r, [%l2+4];",
         five),
    TEXT("cvta", "to global u64", "mov.u64 %l0, g;\ncvta.global.u64 %l1, %l0;\n$ %l2, %l1;\nld.global.u32 %r, [%l2];",
         five),
    TEXT("cvta", "to local u64",
         "mov.u64 %l0, l;\nst.local.u32 [%l0+4], 5;\ncvta.local.u64 %l1, %l0;\n$ %l2, %l1;\n"
         "ld.local.u32 %r, [%l2+4];",
         five),
    TEXT("cvta", "to const u64",
         "mov.u64 %l0, c;\ncvta.const.u64 %l1, %l0;\n$ %l2, %l1;\nld.const.u32 %r, [%l2];\nsub.u32 %r, %r, 1;", five),
    TEXT("cvta", "to param u64",
         "mov.u64 %l0, p;\ncvta.param.u64 %l1, %l0;\n$ %l2, %l1;\nld.param.u64 %l3, [%l2];\n"
         "setp.eq.u64 %p, %l3, %base;\nselp.u32 %r, 5, 0, %p;",
         five),
    TEXT("isspacep", "global,shared,shared::cta,local,const,param",
         "mov.u64 %l0, s;\ncvta.shared.u64 %l0, %l0;\n$ %p, %l0;\nselp.u32 %x, 1, 0, %p;\nadd.u32 %r, %r, %x;\n"
         "$ %p, %at;\nselp.u32 %x, 2, 0, %p;\nadd.u32 %r, %r, %x;\n"
         "mov.u64 %l0, l;\ncvta.local.u64 %l0, %l0;\n$ %p, %l0;\nselp.u32 %x, 4, 0, %p;\nadd.u32 %r, %r, %x;\n"
         "mov.u64 %l0, c;\ncvta.const.u64 %l0, %l0;\n$ %p, %l0;\nselp.u32 %x, 8, 0, %p;\nadd.u32 %r, %r, %x;\n"
         "mov.u64 %l0, p;\ncvta.param.u64 %l0, %l0;\n$ %p, %l0;\nselp.u32 %x, 16, 0, %p;\nadd.u32 %r, %r, %x;",
         spaces),
    TEXT("cp", "async ca shared,shared::cta global",
         COPY_BEGIN COPY(16, "", 1) COPY(4, "", 3) COPY(8, "", 5) COPY(16, ", 4", 7), copied),
    TEXT("cp", "async ca shared,shared::cta global L2::cache_hint",
         COPY_BEGIN COPY(16, ", %at", 1) COPY(4, ", %at", 3) COPY(8, ", %at", 5) COPY(16, ", 4, %at", 7), copied),
    TEXT("cp", "async ca shared,shared::cta global L2::64B,L2::128B,L2::256B",
         COPY_BEGIN COPY(16, "", 1) COPY(4, "", 3) COPY(8, "", 5) COPY(16, ", 4", 7), copied),
    TEXT("cp", "async cg shared,shared::cta global", COPY_BEGIN COPY(16, "", 1), copied),
    TEXT("cp", "async commit_group", COPY_BEGIN COPY_LATE("$;\ncp.async.commit_group;\n", "cp.async.wait_group 1;\n"),
         copied_late),
    TEXT("cp", "async wait_group", COPY_BEGIN COPY_LATE("cp.async.commit_group;\ncp.async.commit_group;\n", "$ 1;\n"),
         copied_late),
    TEXT("cp", "async wait_all", COPY_BEGIN COPY_LATE("", "$;\n"), copied_late),
    /* what changes no value */
    TEXT("prefetch", "?global,local L1,L2,L2::evict_last,L2::evict_normal", "mov.u32 %r, 3;\n$ [%at];", three),
    TEXT("prefetchu", "L1", "mov.u32 %r, 3;\n$ [%at];", three),
    TEXT("discard", "?global L2", "mov.u32 %r, 3;\n$ [%base], 128;", three),
    TEXT("griddepcontrol", "launch_dependents,wait", "mov.u32 %r, 3;\n$;", three),
    TEXT("createpolicy",
         "fractional L2::evict_last,L2::evict_normal,L2::evict_first,L2::evict_unchanged "
         "?L2::evict_first,L2::evict_unchanged b64",
         "$ %l0, 0.5;\n$ %l1;\nmov.u32 %x, 3;\nst.global.L2::cache_hint.u32 [%at], %x, %l0;\nld.u32 %r, [%at];", three),
    TEXT("nanosleep", "u32", "mov.u32 %r, 3;\n$ 20;", three),
    TEXT("pmevent", "?mask", "mov.u32 %r, 3;\n$ 7;", three),
    TEXT("brkpt", "", "mov.u32 %r, 3;\n$;", three),
};
const size_t row_count = sizeof rows / sizeof rows[0];
