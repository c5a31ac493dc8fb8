import { useSyncExternalStore } from 'react'
import { call } from './api.ts'
import { readText, writeText } from './storage.ts'

export const languages = ['es', 'pt', 'en'] as const
export type Language = (typeof languages)[number]

/** Languages name themselves: whoever needs this menu may not read the current one. */
export const languageNames: Record<Language, string> = { es: 'Español', pt: 'Português', en: 'English' }

/** The same keys and the same parameters, any words. */
export type Same<T> = {
  [K in keyof T]: T[K] extends (...given: infer P) => string
    ? (...given: P) => string
    : T[K] extends string
      ? string
      : Same<T[K]>
}
export type Texts<T> = { es: T; pt: Same<T>; en: Same<T> }

/** Spanish is the type: a text that Portuguese or English lacks does not compile. */
export const defineTexts = <T>(all: { es: T; pt: Same<NoInfer<T>>; en: Same<NoInfer<T>> }): Texts<T> => all

const key = 'i18nextLng'
const isLanguage = (value: string | null): value is Language => languages.includes(value as Language)

let current: Language = 'es'
const listeners = new Set<() => void>()

/** Reads the remembered language; called once before the first drawing. */
export function startLanguage(): void {
  const stored = readText(key)
  apply(isLanguage(stored) ? stored : 'es')
}

export const currentLanguage = (): Language => current
/** Whether somebody ever chose on this browser: a person's own language yields to it. */
export const languageWasChosen = (): boolean => isLanguage(readText(key))

export function setLanguage(language: Language): void {
  writeText(key, language)
  apply(language)
}

function apply(language: Language): void {
  current = language
  document.documentElement.lang = language
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Called whenever another language is chosen. */
export const onLanguage = (listener: () => void): void => void listeners.add(listener)

export function useLanguage(): [Language, (language: Language) => void] {
  const language = useSyncExternalStore(subscribe, currentLanguage)
  return [language, chooseLanguage]
}

function chooseLanguage(language: Language): void {
  setLanguage(language)
  // The choice already holds here; the server only remembers it for the next browser.
  import('@recado/contract/users')
    .then(({ usersApi }) => call(usersApi.setLanguage, { params: { lang: language } }))
    .catch(() => undefined)
}

/** The words of a screen in the language of the moment. */
export function useTexts<T>(texts: Texts<T>): T {
  const language = useSyncExternalStore(subscribe, currentLanguage)
  return texts[language] as T
}

/** The same, outside of a component. */
export const textsNow = <T>(texts: Texts<T>): T => texts[current] as T
