/** An error that the operator can understand and fix: shown without a stack. */
export class BackupError extends Error {}
