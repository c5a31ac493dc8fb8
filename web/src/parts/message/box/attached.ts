import { newClientId } from '../../../lib/client-id.ts'

/** A file that waits for its words; `file` is null while a quick reply's is being fetched. */
export type Attached = { id: string; name: string; file: File | null; preview: string | null; caption: string }

export const attachedOf = (file: File): Attached => ({
  id: newClientId(),
  name: file.name,
  file,
  preview: previewOf(file),
  caption: '',
})

/** An address this page may draw. */
export const previewOf = (file: File): string | null =>
  file.type.startsWith('image/') ? URL.createObjectURL(file) : null

export function letGo({ preview }: Attached): void {
  if (preview) URL.revokeObjectURL(preview)
}
