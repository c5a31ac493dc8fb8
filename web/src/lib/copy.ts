/** Copies a text, also without TLS, where browsers block the clipboard API: by selecting it beside the button. */
export async function copyText(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelecting(text, beside)
  }
}

/** Within the same dialog: its focus trap would take the focus away from elsewhere. */
function copyBySelecting(text: string, beside: HTMLElement): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  beside.after(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  beside.focus()
  return done
}
