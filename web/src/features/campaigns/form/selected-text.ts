/** Which of the ten texts is selected. */
export type SelectedText = { kind: 'message' | 'confirmation'; n: number }
