import { fold } from '../text/fold.ts'
import type { Language } from '../users.ts'

/** Variables of every campaign text, in single braces; a company can define more. */
export const campaignVariables = ['nome', 'email', 'numero'] as const
export type CampaignVariable = (typeof campaignVariables)[number]

/** The names that screens offer, in the user's language. All of them work in every language, `{nome}` included. */
export const campaignVariableNames: Record<Language, Record<CampaignVariable, string>> = {
  es: { nome: 'nombre', email: 'email', numero: 'numero' },
  pt: { nome: 'nome', email: 'email', numero: 'numero' },
  en: { nome: 'name', email: 'email', numero: 'number' },
}
const variableByName = new Map(
  Object.values(campaignVariableNames).flatMap((names) => campaignVariables.map((key) => [names[key], key] as const)),
)

/** A company's variable: `{promo}` is replaced by its value, which is plain text. */
export type CustomVariable = { key: string; value: string }

/** A text in pieces: literal text, and variables filled in for each contact. */
export type CampaignTextPiece = { text: string } | { variable: CampaignVariable }

const variablePattern = /\{([^{}\n]{1,60})\}/g
const isCampaignVariable = (key: string): key is CampaignVariable =>
  (campaignVariables as readonly string[]).includes(key)

/**
 * Splits a text into its pieces, in one pass from left to right. Values are not parsed again, so a contact's name
 * cannot contain a variable. An unknown key stays as it was typed.
 */
export function splitCampaignText(text: string, own: readonly CustomVariable[]): CampaignTextPiece[] {
  const values = new Map(own.map(({ key, value }) => [key, value]))
  const pieces: CampaignTextPiece[] = []
  const add = (piece: string) => {
    const last = pieces.at(-1)
    if (last && 'text' in last) last.text += piece
    else if (piece) pieces.push({ text: piece })
  }
  let from = 0
  for (const found of text.matchAll(variablePattern)) {
    const [typed, key = ''] = found
    add(text.slice(from, found.index))
    // A company's own variable comes before a translated name: it may be older than that name.
    const variable = isCampaignVariable(key) ? key : values.has(key) ? undefined : variableByName.get(key)
    if (variable) pieces.push({ variable })
    else add(values.get(key) ?? typed)
    from = found.index + typed.length
  }
  add(text.slice(from))
  return pieces
}

/** The text as one contact will read it. */
export const fillCampaignText = (
  text: string,
  own: readonly CustomVariable[],
  contact: Record<CampaignVariable, string>,
): string =>
  splitCampaignText(text, own)
    .map((piece) => ('text' in piece ? piece.text : contact[piece.variable]))
    .join('')

/** Finds names in braces that are not variables. */
export function findUnknownVariables(text: string, own: readonly CustomVariable[]): string[] {
  const known = new Set<string>([...variableByName.keys(), ...own.map(({ key }) => key)])
  const found = [...text.matchAll(variablePattern)].map(([, key = '']) => key).filter((key) => !known.has(key))
  return [...new Set(found)]
}

/** Opt-out and opt-in words in the three languages: all of them are accepted, whatever the company's language. */
export const defaultKeywords = {
  stopWords: ['stop', 'baja', 'darme de baja', 'no molestar', 'parar', 'sair', 'descadastrar', 'unsubscribe'],
  startWords: ['start', 'alta', 'darme de alta', 'voltar', 'cadastrar', 'subscribe'],
  yesWords: ['si', 'sim', 'yes', 'ok', 'dale', 'claro', 'quiero', 'quero', 'acepto', 'aceito'],
  noWords: ['no', 'nao', 'no gracias', 'no, gracias', 'nao obrigado', 'nao, obrigado', 'no thanks', 'no, thanks'],
} as const
export type KeywordListName = keyof typeof defaultKeywords

/** Default replies to opt-out and opt-in, sent once. */
export const defaultKeywordReplies: Record<Language, { stopReply: string; startReply: string }> = {
  es: {
    stopReply: 'Listo: no te enviaremos más mensajes como este. Si cambias de idea, escribe ALTA.',
    startReply: 'Listo: volverás a recibir nuestros mensajes. Para dejar de recibirlos, escribe BAJA.',
  },
  pt: {
    stopReply: 'Pronto: não enviaremos mais mensagens como esta. Se mudar de ideia, escreva VOLTAR.',
    startReply: 'Pronto: você voltará a receber as nossas mensagens. Para parar, escreva SAIR.',
  },
  en: {
    stopReply: "Done: we won't send you messages like this any more. If you change your mind, reply START.",
    startReply: "Done: you'll get our messages again. To stop them, reply STOP.",
  },
}

/** The words of a list, normalized for comparison. */
export const foldKeywords = (words: readonly string[]): Set<string> =>
  new Set(words.map((word) => fold(word).trim().replace(/\s+/g, ' ')).filter(Boolean))
