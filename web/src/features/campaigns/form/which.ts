/** Which of the ten texts is looked at. */
export type Which = { kind: 'message' | 'confirmation'; n: number }
