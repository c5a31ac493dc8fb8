import { useSyncExternalStore } from 'react'
import { callApi } from './api.ts'
import { readStoredText, writeStoredText } from './storage.ts'

export const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

/** Each language in its own name: users of this menu may not read the current language. */
export const languageNames: Record<Language, string> = { es: 'Español', pt: 'Português', en: 'English' }

/** The same keys and parameters with other texts. */
export type TranslationOf<T> = {
  [K in keyof T]: T[K] extends (...given: infer P) => string
    ? (...given: P) => string
    : T[K] extends string
      ? string
      : TranslationOf<T[K]>
}
export type Texts<T> = { es: T; pt: TranslationOf<T>; en: TranslationOf<T> }

/** Spanish defines the type: a text missing in Portuguese or English does not compile. */
export const defineTexts = <T>(all: {
  es: T
  pt: TranslationOf<NoInfer<T>>
  en: TranslationOf<NoInfer<T>>
}): Texts<T> => all

const key = 'i18nextLng'
const isLanguage = (value: string | null): value is Language => languages.includes(value as Language)

let current: Language = 'es'
const listeners = new Set<() => void>()

/** Reads the stored language; called once before the first render. */
export function initLanguage(): void {
  const stored = readStoredText(key)
  applyLanguage(isLanguage(stored) ? stored : 'es')
}

export const currentLanguage = (): Language => current
/** Whether a language was chosen in this browser: it takes precedence over the language stored for the user. */
export const hasChosenLanguage = (): boolean => isLanguage(readStoredText(key))

export function setLanguage(language: Language): void {
  writeStoredText(key, language)
  applyLanguage(language)
}

function applyLanguage(language: Language): void {
  current = language
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Registers a listener for language changes. */
export const onLanguageChange = (listener: () => void): void => void listeners.add(listener)

export function useLanguage(): [Language, (language: Language) => void] {
  const language = useSyncExternalStore(subscribe, currentLanguage)
  return [language, chooseLanguage]
}

function chooseLanguage(language: Language): void {
  setLanguage(language)
  // The choice is already active in this browser; the server only stores it for the next browser.
  import('@recado/contract/users')
    .then(({ usersApi }) => callApi(usersApi.setLanguage, { params: { lang: language } }))
    .catch(() => undefined)
}

/** The texts of a screen in the current language. */
export function useTexts<T>(texts: Texts<T>): T {
  const language = useSyncExternalStore(subscribe, currentLanguage)
  return texts[language] as T
}

/** Like `useTexts`, outside of a component. */
export const currentTexts = <T>(texts: Texts<T>): T => texts[current] as T
