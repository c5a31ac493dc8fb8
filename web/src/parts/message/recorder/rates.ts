/** The sample rates MPEG-1 knows. Apart from the encoder, which the page itself never loads. */
export const rates = [32_000, 44_100, 48_000]
