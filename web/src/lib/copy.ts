/** Copies a text. Without TLS browsers block the clipboard API, so the text is selected in a field beside the button. */
export async function copyText(text: string, anchor: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelecting(text, anchor)
  }
}

/**
 * Copies by selecting a field. The field is within the same dialog, because the dialog's focus trap would not let a
 * field elsewhere keep the focus.
 */
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
