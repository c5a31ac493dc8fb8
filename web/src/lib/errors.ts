import type { ApiClientErrorCode, FieldProblem, RecordNotFoundCode } from '@recado/contract/errors'
import { useSyncExternalStore } from 'react'
import { ApiError, type FailureCode } from './api.ts'
import { currentTexts, defineTexts, type Texts, useTexts } from './texts.ts'

/** Error texts with advice, for codes that can occur before login; the rest is in desk-error-texts.ts. */
const publicErrorTexts = defineTexts({
  es: {
    ERR_OFFLINE: 'El servidor no respondió. Revisa tu conexión y prueba de nuevo.',
    ERR_SESSION_EXPIRED: 'Tu sesión terminó. Entra otra vez.',
    ERR_TOKEN_EXPIRED: 'Tu sesión terminó. Entra otra vez.',
    ERR_INVALID_CREDENTIALS: 'El correo o la contraseña no son correctos.',
    ERR_TOO_MANY_TRIES: 'Demasiados intentos. Espera un momento y prueba de nuevo.',
    ERR_TWO_FACTOR_CODE: 'El código no es correcto o ya se usó. Prueba el que muestra ahora tu app.',
    ERR_PASSKEY: 'Esa llave de acceso no funcionó. Prueba de nuevo o usa tu contraseña.',
    ERR_TWO_FACTOR_REQUIRED: 'Escribe el código de tu app de autenticación.',
    ERR_TWO_FACTOR_SETUP: 'Tu empresa exige verificación en dos pasos: configúrala para entrar.',
    ERR_RESET_CODE_INVALID: 'El código no es válido o ya venció. Pide uno nuevo.',
    ERR_INVITATION_INVALID: 'Esta invitación ya se usó o venció. Pide otra a tu administrador.',
    ERR_SUBSCRIPTION_EXPIRED: 'La suscripción de tu empresa venció. Renuévala para seguir.',
    ERR_COMPANY_INACTIVE: 'La cuenta de tu empresa está desactivada. Habla con quien administra la plataforma.',
    ERR_VALIDATION: 'Hay campos por corregir.',
    ERR_SYNTAX: 'El servidor no entendió la solicitud.',
    ERR_NOT_FOUND: 'Eso ya no existe.',
    ERR_NOT_READY: 'El servidor se está iniciando. Prueba en unos segundos.',
    ERR_INTERNAL_SERVER_ERROR: 'Algo falló en el servidor. Prueba de nuevo.',
  },
  pt: {
    ERR_OFFLINE: 'O servidor não respondeu. Confira sua conexão e tente de novo.',
    ERR_SESSION_EXPIRED: 'Sua sessão terminou. Entre outra vez.',
    ERR_TOKEN_EXPIRED: 'Sua sessão terminou. Entre outra vez.',
    ERR_INVALID_CREDENTIALS: 'E-mail ou senha incorretos.',
    ERR_TOO_MANY_TRIES: 'Tentativas demais. Espere um momento e tente de novo.',
    ERR_TWO_FACTOR_CODE: 'O código não está certo ou já foi usado. Tente o que seu app mostra agora.',
    ERR_PASSKEY: 'Essa chave de acesso não funcionou. Tente de novo ou use sua senha.',
    ERR_TWO_FACTOR_REQUIRED: 'Digite o código do seu app de autenticação.',
    ERR_TWO_FACTOR_SETUP: 'Sua empresa exige verificação em duas etapas: configure para entrar.',
    ERR_RESET_CODE_INVALID: 'O código não é válido ou já venceu. Peça um novo.',
    ERR_INVITATION_INVALID: 'Este convite já foi usado ou venceu. Peça outro ao seu administrador.',
    ERR_SUBSCRIPTION_EXPIRED: 'A assinatura da sua empresa venceu. Renove para continuar.',
    ERR_COMPANY_INACTIVE: 'A conta da sua empresa está desativada. Fale com quem administra a plataforma.',
    ERR_VALIDATION: 'Há campos para corrigir.',
    ERR_SYNTAX: 'O servidor não entendeu o pedido.',
    ERR_NOT_FOUND: 'Isso não existe mais.',
    ERR_NOT_READY: 'O servidor está iniciando. Tente em alguns segundos.',
    ERR_INTERNAL_SERVER_ERROR: 'Algo falhou no servidor. Tente de novo.',
  },
  en: {
    ERR_OFFLINE: "The server didn't respond. Check your connection and try again.",
    ERR_SESSION_EXPIRED: 'Your session ended. Log in again.',
    ERR_TOKEN_EXPIRED: 'Your session ended. Log in again.',
    ERR_INVALID_CREDENTIALS: 'Wrong email or password.',
    ERR_TOO_MANY_TRIES: 'Too many tries. Wait a moment and try again.',
    ERR_TWO_FACTOR_CODE: 'That code is wrong or already used. Try the one your app shows now.',
    ERR_PASSKEY: "That passkey didn't work. Try again or use your password.",
    ERR_TWO_FACTOR_REQUIRED: 'Enter the code from your authenticator app.',
    ERR_TWO_FACTOR_SETUP: 'Your company requires two-step verification: set it up to log in.',
    ERR_RESET_CODE_INVALID: 'That code is invalid or has expired. Request a new one.',
    ERR_INVITATION_INVALID: 'This invitation was used or has expired. Ask your admin for another.',
    ERR_SUBSCRIPTION_EXPIRED: "Your company's subscription has expired. Renew it to continue.",
    ERR_COMPANY_INACTIVE: "Your company's account is inactive. Contact the platform's administrator.",
    ERR_VALIDATION: 'Some fields need fixing.',
    ERR_SYNTAX: "The server didn't understand the request.",
    ERR_NOT_FOUND: 'That no longer exists.',
    ERR_NOT_READY: 'The server is starting. Try again in a few seconds.',
    ERR_INTERNAL_SERVER_ERROR: 'Something went wrong on the server. Try again.',
  },
})
export type PublicErrorCode = keyof (typeof publicErrorTexts)['es']
/** A "record not found" code uses the text of ERR_NOT_FOUND, unless it has its own text. */
export type DeskErrorTexts = Record<
  Exclude<
    FailureCode,
    PublicErrorCode | RecordNotFoundCode | ApiClientErrorCode | MoneyCode | SignupCode | PasskeyLinkCode
  >,
  string
> &
  Partial<Record<RecordNotFoundCode, string>>
/** Codes of billing screens only, which load their own texts (parts/checkout/money-error-texts.ts). */
type MoneyCode =
  | 'ERR_PLAN_TOO_SMALL'
  | 'ERR_PLAN_NO_PRICE'
  | 'ERR_PLAN_PRICE_IN_USE'
  | 'ERR_PAYMENT_CURRENCY'
  | 'ERR_NO_INVOICE_FOUND'
  | 'ERR_INVOICE_SETTLED'
  | 'ERR_NO_CHARGE_FOUND'
  | 'ERR_NO_PAYMENT_FOUND'
  | 'ERR_PAYMENT_SETTLED'
  | 'ERR_PAYMENT_SHORT'
  | 'ERR_PAYMENT_NOT_SET'
  | 'ERR_PAYMENT_PROVIDER'
export type MoneyErrorTexts = Record<MoneyCode, string>
/** Codes of connecting a number with Meta (features/connections/signup). */
type SignupCode = Extract<FailureCode, `ERR_SIGNUP_${string}`>
export type SignupErrorTexts = Record<SignupCode, string>
/** Codes of linking a phone with a passkey, whose dialog loads its own texts. */
type PasskeyLinkCode = 'ERR_WAPP_NO_PASSKEY' | 'ERR_PASSKEY_ADDRESS'
export type PasskeyLinkErrorTexts = Record<PasskeyLinkCode, string>

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
    Required: 'Campo obligatorio',
    'Too Short!': 'Es demasiado corto',
    'Too Long!': 'Es demasiado largo',
    'Too Common!': 'Es muy común: elige otra',
    'Too Personal!': 'Tiene datos tuyos: elige otra',
    'Hidden Characters!': 'Tiene caracteres invisibles',
    'In the past': 'Ya pasó: elige otro momento',
    'Invalid email': 'Escribe un correo válido',
    'Not https': 'Tiene que empezar con https://',
    Invalid: 'No es válido',
  },
  pt: {
    Required: 'Campo obrigatório',
    'Too Short!': 'É curto demais',
    'Too Long!': 'É longo demais',
    'Too Common!': 'É muito comum: escolha outra',
    'Too Personal!': 'Tem dados seus: escolha outra',
    'Hidden Characters!': 'Tem caracteres invisíveis',
    'In the past': 'Já passou: escolha outro momento',
    'Invalid email': 'Digite um e-mail válido',
    'Not https': 'Tem que começar com https://',
    Invalid: 'Não é válido',
  },
  en: {
    Required: 'Required',
    'Too Short!': 'Too short',
    'Too Long!': 'Too long',
    'Too Common!': 'Too common: choose another',
    'Too Personal!': 'Too personal: choose another',
    'Hidden Characters!': 'Contains invisible characters',
    'In the past': 'In the past: choose another time',
    'Invalid email': 'Enter a valid email',
    'Not https': 'Must start with https://',
    Invalid: 'Not valid',
  },
})

const codeOf = (error: unknown): FailureCode => (error instanceof ApiError ? error.code : 'ERR_INTERNAL_SERVER_ERROR')

/** The text of an error. Unknown codes (of a newer server) and a proxy's text are shown as they are (spec 8). */
export function errorText(error: unknown): string {
  const code = codeOf(error)
  const publicWords = currentTexts(publicErrorTexts)
  const words: LoadedErrorTexts = { ...publicWords, ...currentTexts(loadedErrorTexts) }
  if (error instanceof ApiError && error.message !== code) return error.message
  // Support finds the call in the log by this id.
  if (error instanceof ApiError && error.status === 500 && error.details.requestId)
    return `${words[code]} (${error.details.requestId})`
  return words[code] ?? (isMissing(code) ? publicWords.ERR_NOT_FOUND : code)
}
const isMissing = (code: string) => /^ERR_NO_[A-Z]+_FOUND$/.test(code)

export function useErrorText(): (error: unknown) => string {
  useTexts(publicErrorTexts)
  useSyncExternalStore(subscribe, () => loadedErrorTexts)
  return errorText
}

/** The error text under an input. */
export function useFieldProblemText(): (problem: FieldProblem) => string {
  const words = useTexts(problems)
  return (problem) => words[problem]
}
