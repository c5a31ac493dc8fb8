/** The sample rates of MPEG-1. This file is separate from the encoder, which the page itself never loads. */
export const mp3SampleRates = [32_000, 44_100, 48_000]
