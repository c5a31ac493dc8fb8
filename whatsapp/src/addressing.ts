/** Addressing by phone number, or by the LID that WhatsApp gives to users who hide their number. */
export type Addressing = 'pn' | 'lid'

export const otherAddressing = (addressing: Addressing): Addressing => (addressing === 'lid' ? 'pn' : 'lid')
export const addressingOf = (jid: string | undefined): Addressing => (jid?.endsWith('@s.whatsapp.net') ? 'pn' : 'lid')
