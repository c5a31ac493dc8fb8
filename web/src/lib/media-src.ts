/**
 * The server names files by absolute address, under the one it believes to have. Ours are asked from where this page
 * came from, which is the only origin the content policy allows.
 */
export function mediaSrc(url: string | null | undefined): string {
  if (!url) return ''
  try {
    const { pathname, search } = new URL(url, location.origin)
    return pathname.startsWith('/public/') ? pathname + search : url
  } catch {
    return ''
  }
}
