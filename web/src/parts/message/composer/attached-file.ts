import { newClientId } from '../../../lib/client-id.ts'

/** A file to be sent; `file` is null while a quick reply's file is loading. */
export type AttachedFile = { id: string; name: string; file: File | null; preview: string | null; caption: string }

export const toAttachedFile = (file: File): AttachedFile => ({
  id: newClientId(),
  name: file.name,
  file,
  preview: createImagePreview(file),
  caption: '',
})

/** A local preview URL. */
export const createImagePreview = (file: File): string | null =>
  file.type.startsWith('image/') ? URL.createObjectURL(file) : null

export function revokePreview({ preview }: AttachedFile): void {
  if (preview) URL.revokeObjectURL(preview)
}
