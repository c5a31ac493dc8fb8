/** The word that lets our own styles pass the content policy; the server writes a new one into every page. */
export function readStyleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
