#include "calibrate/import/kernel_names.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gmock/gmock.h>

#include <utility>

namespace ringsim::calibrate {
namespace {

using testing::error_of;
using ::testing::HasSubstr;

TEST(KernelNames, NamesThatLibrariesGiveTheirKernels) {
  const KernelClass forward{KernelKind::attention, Pass::forward};
  const KernelClass backward{KernelKind::attention, Pass::backward};
  const KernelClass before{KernelKind::preparation, Pass::backward};
  const KernelClass after{KernelKind::completion, Pass::backward};
  const KernelClass transfer{KernelKind::transfer, std::nullopt};
  const KernelClass collective{KernelKind::collective, std::nullopt};
  const KernelClass merge{KernelKind::merge, std::nullopt};
  const KernelClass elementwise{KernelKind::elementwise, std::nullopt};
  const KernelClass other{};
  const std::vector<std::pair<std::string, KernelClass>> cases = {
      {"void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>(Flash_fwd_params)", forward},
      {"void flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4>>(Flash_fwd_params)", forward},
      {"void flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128>>(Flash_fwd_params)",
       {KernelKind::completion, Pass::forward}},
      {"void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<flash::CollectiveMainloopFwdSm90<2>>>>",
       forward},
      {"void cutlass::device_kernel<flash::FlashAttnFwdCombine<cute::tuple<int>>>",
       {KernelKind::completion, Pass::forward}},
      {"flash::FlashAttentionForwardSm100", forward},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1_kernel0_0", forward},
      {"fmha_cutlassF_bf16_aligned_64x128_rf_sm80(PyTorchMemEffAttention::AttentionKernel<cutlass::bfloat16_t>::"
       "Params)",
       forward},
      {"_attn_fwd", forward},
      {"void flash_bwd_dot_do_o_kernel<true, Flash_bwd_kernel_traits<128, 64, 128, 8>>(Flash_bwd_params)", before},
      {"void cutlass::device_kernel<flash::FlashAttnBwdPreprocess<cute::tuple<int>>>", before},
      {"void cudnn::fusion::compute_dot_do_o_specialized<true>(cudnn::fusion::AttentionBackwardParams)", before},
      {"void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8>>(Flash_bwd_params)",
       backward},
      {"void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnBwdSm90<flash::CollectiveMainloopBwdSm90<2>>>>",
       backward},
      {"cudnn_generated_fort_native_sdpa_sm90_flash_bprop_wgmma_f16_knob_26_64x64x128_1x1x1_kernel0_0", backward},
      {"fmha_cutlassB_bf16_aligned_128x128_k128_sm80(PyTorchMemEffAttention::AttentionBackwardKernel<>::Params)",
       backward},
      {"void fmha_dgrad_fp16_512_64_sm80_kernel<false>(Fused_multihead_attention_fprop_params)", backward},
      {"void flash_bwd_convert_dq_kernel<Flash_bwd_kernel_traits<128, 64, 128, 8>>(Flash_bwd_params, int)", after},
      {"void cutlass::device_kernel<flash::FlashAttnBwdPostprocessConvertdQ<cute::tuple<int>>>", after},
      {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", transfer},
      {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", transfer},
      {"nccl:send 0->1", transfer},
      {"Memcpy PtoP (Device -> Device)", transfer},
      {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", collective},
      {"ncclKernel_AllGather_RING_LL_Sum_int8_t", collective},
      {"nccl:all_gather", collective},
      {"_update_out_and_lse_kernel", merge},
      {"merge_attn_states_kernel", merge},
      {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)", elementwise},
      {"triton_poi_fused_add_mul_0", elementwise},
      {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64", other},
      {"cutlass_80_wgrad_dgrad_conv2d", other},  // a gradient, but not of attention
      {"Memcpy DtoD (Device -> Device)", other},
  };
  KernelNames names({});
  for (const auto& [name, meaning] : cases) {
    const KernelClass found = names.classify(name);
    EXPECT_EQ(found, meaning) << name << " is taken for " << name_of(found.kind);
    EXPECT_EQ(names.classify(name), meaning) << name;  // remembered
  }
}

TEST(KernelNames, PatternsGoBeforeTheTable) {
  KernelNames names({parse_name_pattern("^my_.*=attention-backward"), parse_name_pattern("flash_fwd=ignore"),
                     parse_name_pattern("a=b=transfer")});
  EXPECT_EQ(names.classify("my_kernel"), (KernelClass{KernelKind::attention, Pass::backward}));
  EXPECT_EQ(names.classify("not_my_kernel"), KernelClass{});
  EXPECT_EQ(names.classify("void flash_fwd_kernel<>"), KernelClass{});
  EXPECT_EQ(names.classify("x<a=b>").kind, KernelKind::transfer);  // the last "=" divides
}

TEST(KernelNames, PatternsThatCannotBe) {
  EXPECT_THAT(error_of([] { (void)parse_name_pattern("flash"); }), HasSubstr("a pattern is EXPRESSION=KIND"));
  EXPECT_THAT(error_of([] { (void)parse_name_pattern("flash=attention-foward"); }),
              HasSubstr("the kind \"attention-foward\" is not known | did you mean attention-forward?"));
  EXPECT_THAT(error_of([] { KernelNames names({parse_name_pattern("flash(=transfer")}); }),
              HasSubstr("pattern flash( | not a regular expression"));
}

TEST(KernelNames, LongNamesAreLookedAtUpToALimit) {
  // A template name of 100,000 characters would overflow the stack of std::regex.
  KernelNames names({});
  EXPECT_EQ(names.classify("flash" + std::string(100'000, '<') + "bwd").kind, KernelKind::other);
  EXPECT_EQ(names.classify("flash_bwd" + std::string(100'000, '<')).kind, KernelKind::attention);
}

}  // namespace
}  // namespace ringsim::calibrate
