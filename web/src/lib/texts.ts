import { useSyncExternalStore } from 'react'
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

/** Spanish as in Argentina and Uruguay: the same texts with "vos". Its verb forms are loaded when it is chosen. */
export const voseo = 'es-AR'
export type LanguageChoice = Language | typeof voseo

const key = 'i18nextLng'
const isChoice = (value: string | null): value is LanguageChoice =>
  value === voseo || languages.includes(value as Language)

let chosen: LanguageChoice = 'es'
/** The language on the screen: `voseo` only after its verb forms have been loaded. */
let current: LanguageChoice = 'es'
let rewriteWithVos: (<T>(spanish: T) => T) | undefined
const listeners = new Set<() => void>()

/** Reads the stored language; called once before the first render. */
export function initLanguage(): void {
  const stored = readStoredText(key)
  applyLanguage(isChoice(stored) ? stored : 'es')
}

export const currentLanguage = (): Language => (current === voseo ? 'es' : current)
/** Whether a language was chosen in this browser: it takes precedence over the language stored for the user. */
export const hasChosenLanguage = (): boolean => isChoice(readStoredText(key))

export function setLanguage(language: LanguageChoice): void {
  writeStoredText(key, language)
  applyLanguage(language)
}

function applyLanguage(language: LanguageChoice): void {
  chosen = language
  document.documentElement.lang = language
  const isLoading = language === voseo && !rewriteWithVos
  showLanguage(isLoading ? 'es' : language)
  if (!isLoading) return
  // If the verb forms fail to load, Spanish without "vos" stays.
  import('./spanish/voseo.ts').then(
    (module) => {
      rewriteWithVos = module.rewriteWithVos
      if (chosen === voseo) showLanguage(voseo)
    },
    () => undefined,
  )
}

function showLanguage(language: LanguageChoice): void {
  current = language
  for (const listener of listeners) listener()
}

export function subscribeToLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Registers a listener for language changes. */
export const onLanguageChange = (listener: () => void): void => void listeners.add(listener)

export const chosenLanguage = (): LanguageChoice => chosen
const shownLanguage = () => current

export const useLanguage = (): [Language] => [useSyncExternalStore(subscribeToLanguage, currentLanguage)]

/** The texts of a screen in the current language. */
export function useTexts<T>(texts: Texts<T>): T {
  useSyncExternalStore(subscribeToLanguage, shownLanguage)
  return currentTexts(texts)
}

/** Like `useTexts`, outside of a component. */
export const currentTexts = <T>(texts: Texts<T>): T =>
  current === voseo && rewriteWithVos ? rewriteWithVos(texts.es) : (texts[currentLanguage()] as T)
