/**
 * The server returns absolute file URLs under its configured address. They are requested from the page's own origin,
 * which is the only origin that the content security policy allows.
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
