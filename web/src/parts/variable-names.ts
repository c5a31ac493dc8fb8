import { currentTexts, defineTexts } from '../lib/texts.ts'

export const variableTexts = defineTexts({
  es: {
    firstName: 'Primer nombre',
    name: 'Nombre completo',
    ms: 'Saludo del momento',
    protocol: 'Protocolo',
    hora: 'Hora',
    user: 'Agente',
    queue: 'Cola',
    number: 'Teléfono',
    email: 'Correo',
    ticket: 'Número de ticket',
  },
  pt: {
    firstName: 'Primeiro nome',
    name: 'Nome completo',
    ms: 'Saudação do momento',
    protocol: 'Protocolo',
    hora: 'Hora',
    user: 'Agente',
    queue: 'Fila',
    number: 'Telefone',
    email: 'E-mail',
    ticket: 'Número do ticket',
  },
  en: {
    firstName: 'First name',
    name: 'Full name',
    ms: 'Time-of-day greeting',
    protocol: 'Reference number',
    hora: 'Time',
    user: 'Agent',
    queue: 'Queue',
    number: 'Phone',
    email: 'Email',
    ticket: 'Ticket number',
  },
})
export type VariableKey = keyof (typeof variableTexts)['es']

const isVariable = (key: string): key is VariableKey => Object.hasOwn(variableTexts.es, key)

export const variableLabel = (key: VariableKey): string => `{${currentTexts(variableTexts)[key]}}`

/** A stored text for people: `{{firstName}}` becomes `{First name}`, in the reader's language. */
export const nameVariables = (text: string): string =>
  text.replace(/\{\{\s*(\w{1,20})\s*\}\}/g, (code, key: string) => {
    // Older servers misspelled this one.
    const known = key === 'gretting' ? 'ms' : key
    return isVariable(known) ? variableLabel(known) : code
  })

/** The inverse of `nameVariables`: what a person typed, as it is stored. */
export const encodeVariables = (text: string): string => {
  const keysByLabel = new Map(Object.entries(currentTexts(variableTexts)).map(([key, label]) => [label, key]))
  return text.replace(/\{([^{}]{1,40})\}(?!\})/g, (typed, label: string, at: number) => {
    const key = text[at - 1] === '{' ? undefined : keysByLabel.get(label.trim())
    return key ? `{{${key}}}` : typed
  })
}
