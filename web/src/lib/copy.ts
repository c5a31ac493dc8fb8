/** Copies a text, also without TLS, where browsers block the clipboard API: by selecting it beside the button. */
export async function copyText(text: string, anchor: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelecting(text, anchor)
  }
}

/** Within the same dialog: its focus trap would take the focus away from elsewhere. */
function copyBySelecting(text: string, anchor: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  anchor.after(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  anchor.focus()
  return done
}
