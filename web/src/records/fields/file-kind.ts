export type FileKind = 'image' | 'video' | 'audio' | 'document'

const extensionsByKind: [FileKind, RegExp][] = [
  ['image', /\.(png|jpe?g|gif|webp|avif|svg)$/i],
  ['video', /\.(mp4|webm|mov|m4v|3gp)$/i],
  ['audio', /\.(mp3|ogg|oga|opus|m4a|aac|wav)$/i],
]

export const fileKindOf = (name: string): FileKind =>
  extensionsByKind.find(([, ending]) => ending.test(name))?.[0] ?? 'document'

/** The label on the tile of a file without a preview, such as "PDF" or "JPG". */
export const fileExtensionLabel = (name: string): string => (/\.([a-z0-9]{1,4})$/i.exec(name)?.[1] ?? '').toUpperCase()

/** Formats a size such as 840 B, 12 kB or 3.4 MB. */
export function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Whether `accept` (".png,.jpg,image/*") allows this file. An empty `accept` allows every file. */
export function isAcceptedFile(accept: string, file: { name: string; type: string }): boolean {
  const allowed = accept.split(',').map((one) => one.trim().toLowerCase())
  if (accept === '') return true
  return allowed.some((one) => {
    if (one.startsWith('.')) return file.name.toLowerCase().endsWith(one)
    return one.endsWith('/*') ? file.type.startsWith(one.slice(0, -1)) : file.type === one
  })
}
