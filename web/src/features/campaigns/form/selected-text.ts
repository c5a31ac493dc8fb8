/** The one of the ten texts that is selected. */
export type SelectedText = { kind: 'message' | 'confirmation'; n: number }
