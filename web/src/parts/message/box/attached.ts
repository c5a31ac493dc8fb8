/** A file that waits for its words; `file` is null while a quick reply's is being fetched. */
export type Attached = { id: string; name: string; file: File | null; preview: string | null; caption: string }
