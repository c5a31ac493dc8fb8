/** The CSP nonce of our own styles; the server writes a new nonce into every page. */
export function readStyleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
