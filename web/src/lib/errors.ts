import type { ApiClientErrorCode, FieldProblem, RecordNotFoundCode } from '@recado/contract/errors'
import { useSyncExternalStore } from 'react'
import { ApiError, type FailureCode } from './api.ts'
import { currentLanguage, defineTexts, type Language, type Texts, useLanguage, useTexts } from './texts.ts'

/** Error texts with advice, for codes that can occur before login; the rest is in desk-error-texts.ts. */
const publicErrorTexts = defineTexts({
  es: {
    ERR_OFFLINE: 'El servidor no respondió. Revisa tu conexión y prueba de nuevo.',
    ERR_SESSION_EXPIRED: 'Tu sesión terminó. Entra otra vez.',
    ERR_TOKEN_EXPIRED: 'Tu sesión terminó. Entra otra vez.',
    ERR_INVALID_CREDENTIALS: 'El correo o la contraseña no coinciden.',
    ERR_TOO_MANY_TRIES: 'Demasiados intentos. Espera un momento y prueba de nuevo.',
    ERR_TWO_FACTOR_CODE: 'El código no es correcto o ya se usó. Mira el que muestra ahora tu app.',
    ERR_PASSKEY: 'Esa llave de acceso no sirvió aquí. Prueba de nuevo o entra con tu contraseña.',
    ERR_TWO_FACTOR_REQUIRED: 'Falta el código de tu app de autenticación.',
    ERR_TWO_FACTOR_SETUP: 'Tu empresa pide verificación en dos pasos: configúrala para entrar.',
    ERR_RESET_CODE_INVALID: 'El código no es válido o ya venció. Pide uno nuevo.',
    ERR_INVITATION_INVALID: 'Esta invitación ya se usó o venció. Pide otra a quien administra tu empresa.',
    ERR_SUBSCRIPTION_EXPIRED: 'La suscripción de tu empresa venció. Renuévala para seguir.',
    ERR_COMPANY_INACTIVE: 'La cuenta de tu empresa está desactivada. Habla con quien administra la plataforma.',
    ERR_VALIDATION: 'Hay datos por corregir.',
    ERR_SYNTAX: 'El servidor no entendió la solicitud.',
    ERR_NOT_FOUND: 'Eso ya no existe.',
    ERR_NOT_READY: 'El servidor se está iniciando. Prueba en unos segundos.',
    ERR_INTERNAL_SERVER_ERROR: 'Algo falló en el servidor. Prueba de nuevo.',
    ERR_COMPANY_NAME_ALREADY_EXISTS: 'Ya hay una empresa con ese nombre.',
  },
  pt: {
    ERR_OFFLINE: 'O servidor não respondeu. Confira sua conexão e tente de novo.',
    ERR_SESSION_EXPIRED: 'Sua sessão terminou. Entre outra vez.',
    ERR_TOKEN_EXPIRED: 'Sua sessão terminou. Entre outra vez.',
    ERR_INVALID_CREDENTIALS: 'O e-mail ou a senha não conferem.',
    ERR_TOO_MANY_TRIES: 'Tentativas demais. Espere um momento e tente de novo.',
    ERR_TWO_FACTOR_CODE: 'O código não está certo ou já foi usado. Veja o que seu app mostra agora.',
    ERR_PASSKEY: 'Essa chave de acesso não serviu aqui. Tente de novo ou entre com sua senha.',
    ERR_TWO_FACTOR_REQUIRED: 'Falta o código do seu app de autenticação.',
    ERR_TWO_FACTOR_SETUP: 'Sua empresa pede verificação em duas etapas: configure para entrar.',
    ERR_RESET_CODE_INVALID: 'O código não é válido ou já venceu. Peça um novo.',
    ERR_INVITATION_INVALID: 'Este convite já foi usado ou venceu. Peça outro a quem administra sua empresa.',
    ERR_SUBSCRIPTION_EXPIRED: 'A assinatura da sua empresa venceu. Renove para continuar.',
    ERR_COMPANY_INACTIVE: 'A conta da sua empresa está desativada. Fale com quem administra a plataforma.',
    ERR_VALIDATION: 'Há dados para corrigir.',
    ERR_SYNTAX: 'O servidor não entendeu o pedido.',
    ERR_NOT_FOUND: 'Isso não existe mais.',
    ERR_NOT_READY: 'O servidor está iniciando. Tente em alguns segundos.',
    ERR_INTERNAL_SERVER_ERROR: 'Algo falhou no servidor. Tente de novo.',
    ERR_COMPANY_NAME_ALREADY_EXISTS: 'Já existe uma empresa com esse nome.',
  },
  en: {
    ERR_OFFLINE: 'The server did not answer. Check your connection and try again.',
    ERR_SESSION_EXPIRED: 'Your session ended. Log in again.',
    ERR_TOKEN_EXPIRED: 'Your session ended. Log in again.',
    ERR_INVALID_CREDENTIALS: 'The e-mail and the password do not match.',
    ERR_TOO_MANY_TRIES: 'Too many tries. Wait a moment and try again.',
    ERR_TWO_FACTOR_CODE: 'The code is wrong or was used already. Look at what your app shows now.',
    ERR_PASSKEY: 'That passkey did not work here. Try again or use your password.',
    ERR_TWO_FACTOR_REQUIRED: 'The code of your authenticator app is missing.',
    ERR_TWO_FACTOR_SETUP: 'Your company asks for two-step login: set it up to come in.',
    ERR_RESET_CODE_INVALID: 'The code is not valid or has expired. Ask for a new one.',
    ERR_INVITATION_INVALID:
      'This invitation was used or has expired. Ask whoever manages your company for another one.',
    ERR_SUBSCRIPTION_EXPIRED: "Your company's subscription has expired. Renew it to go on.",
    ERR_COMPANY_INACTIVE: "Your company's account is switched off. Talk to whoever runs the platform.",
    ERR_VALIDATION: 'Some details need correcting.',
    ERR_SYNTAX: 'The server did not understand the request.',
    ERR_NOT_FOUND: 'That no longer exists.',
    ERR_NOT_READY: 'The server is starting. Try again in a few seconds.',
    ERR_INTERNAL_SERVER_ERROR: 'Something failed on the server. Try again.',
    ERR_COMPANY_NAME_ALREADY_EXISTS: 'There is already a company with that name.',
  },
})
export type PublicErrorCode = keyof (typeof publicErrorTexts)['es']
/** A "record not found" code uses the text of ERR_NOT_FOUND, unless it has its own text. */
export type DeskErrorTexts = Record<
  Exclude<FailureCode, PublicErrorCode | RecordNotFoundCode | ApiClientErrorCode | MoneyCode>,
  string
> &
  Partial<Record<RecordNotFoundCode, string>>
/** Codes of billing screens only, which load their own texts (parts/checkout/money-error-texts.ts). */
type MoneyCode =
  | 'ERR_PLAN_TOO_SMALL'
  | 'ERR_NO_INVOICE_FOUND'
  | 'ERR_INVOICE_SETTLED'
  | 'ERR_NO_CHARGE_FOUND'
  | 'ERR_NO_PAYMENT_FOUND'
  | 'ERR_PAYMENT_SETTLED'
  | 'ERR_PAYMENT_SHORT'
  | 'ERR_PAYMENT_NOT_SET'
  | 'ERR_PAYMENT_PROVIDER'
export type MoneyErrorTexts = Record<MoneyCode, string>

type LoadedErrorTexts = Partial<Record<FailureCode, string>>
let loadedErrorTexts: Texts<LoadedErrorTexts> = { es: {}, pt: {}, en: {} }
const errorTextListeners = new Set<() => void>()
/** Adds texts needed only after login. They load with the shell, so the login page stays small. */
export function addErrorTexts({ es, pt, en }: Partial<Texts<LoadedErrorTexts>>): void {
  loadedErrorTexts = {
    es: { ...loadedErrorTexts.es, ...es },
    pt: { ...loadedErrorTexts.pt, ...pt },
    en: { ...loadedErrorTexts.en, ...en },
  }
  for (const learner of errorTextListeners) learner()
}
const subscribe = (learner: () => void) => {
  errorTextListeners.add(learner)
  return () => void errorTextListeners.delete(learner)
}

type Problems = Record<FieldProblem, string>
const problems: Texts<Problems> = defineTexts<Problems>({
  es: {
    Required: 'Falta este dato',
    'Too Short!': 'Es demasiado corto',
    'Too Long!': 'Es demasiado largo',
    'Too Common!': 'Es de las más usadas: elige otra',
    'Too Personal!': 'Son tus datos: elige otra',
    'Hidden Characters!': 'Tiene caracteres invisibles',
    'In the past': 'Ya pasó: elige otro momento',
    'Invalid email': 'Escribe un correo válido',
    'Not https': 'Tiene que empezar con https://',
    Invalid: 'No es válido',
  },
  pt: {
    Required: 'Falta este dado',
    'Too Short!': 'É curto demais',
    'Too Long!': 'É longo demais',
    'Too Common!': 'É das mais usadas: escolha outra',
    'Too Personal!': 'São seus dados: escolha outra',
    'Hidden Characters!': 'Tem caracteres invisíveis',
    'In the past': 'Já passou: escolha outro momento',
    'Invalid email': 'Escreva um e-mail válido',
    'Not https': 'Tem que começar com https://',
    Invalid: 'Não é válido',
  },
  en: {
    Required: 'This is missing',
    'Too Short!': 'This is too short',
    'Too Long!': 'This is too long',
    'Too Common!': 'It is one of the commonest: choose another',
    'Too Personal!': 'It is your own name: choose another',
    'Hidden Characters!': 'It has invisible characters',
    'In the past': 'It is over: choose another time',
    'Invalid email': 'Enter a valid e-mail',
    'Not https': 'It has to begin with https://',
    Invalid: 'This is not valid',
  },
})

const codeOf = (error: unknown): FailureCode => (error instanceof ApiError ? error.code : 'ERR_INTERNAL_SERVER_ERROR')

/** Unknown codes (of a newer server) and a proxy's text are shown as they are (spec 8). */
function errorTextIn(error: unknown, language: Language): string {
  const code = codeOf(error)
  const words: Partial<Record<FailureCode, string>> = { ...publicErrorTexts[language], ...loadedErrorTexts[language] }
  if (error instanceof ApiError && error.message !== code) return error.message
  // Support finds the call in the log by this id.
  if (error instanceof ApiError && error.status === 500 && error.details.requestId)
    return `${words[code]} (${error.details.requestId})`
  return words[code] ?? (isMissing(code) ? publicErrorTexts[language].ERR_NOT_FOUND : code)
}
const isMissing = (code: string) => /^ERR_NO_[A-Z]+_FOUND$/.test(code)

export const errorText = (error: unknown): string => errorTextIn(error, currentLanguage())

export function useErrorText(): (error: unknown) => string {
  const [language] = useLanguage()
  useSyncExternalStore(subscribe, () => loadedErrorTexts)
  return (error) => errorTextIn(error, language)
}

/** The error text under an input. */
export function useFieldProblemText(): (problem: FieldProblem) => string {
  const words = useTexts(problems)
  return (problem) => words[problem]
}
