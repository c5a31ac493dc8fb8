import { newClientId } from '../../../lib/client-id.ts'

/** A file that waits for its words; `file` is null while a quick reply's is being fetched. */
export type AttachedFile = { id: string; name: string; file: File | null; preview: string | null; caption: string }

export const toAttachedFile = (file: File): AttachedFile => ({
  id: newClientId(),
  name: file.name,
  file,
  preview: createImagePreview(file),
  caption: '',
})

/** An address this page may draw. */
export const createImagePreview = (file: File): string | null =>
  file.type.startsWith('image/') ? URL.createObjectURL(file) : null

export function revokePreview({ preview }: AttachedFile): void {
  if (preview) URL.revokeObjectURL(preview)
}
