/** Something that whoever gave the command can understand and change: said without a stack. */
export class ImportExportError extends Error {}
