/** Which of the ten texts is looked at. */
export type SelectedText = { kind: 'message' | 'confirmation'; n: number }
