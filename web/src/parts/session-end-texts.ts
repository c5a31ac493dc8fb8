import type { StoredSessionEndReason } from '../lib/session-end-reason.ts'
import { defineTexts } from '../lib/texts.ts'

/** Texts about why a session ended, shown when it ends and again on the login page. */
export const sessionEndTexts = defineTexts({
  es: {
    'opened-elsewhere': 'Tu cuenta se abrió en otra computadora',
    'logged-out': 'Cerraste la sesión en otra pestaña',
    'password-changed': 'Tu contraseña cambió',
    'account-closed': 'Tu cuenta está cerrada',
    'two-factor-asked': 'Tu empresa exige verificación en dos pasos',
    'sign-in-changed': 'Cambió la forma de entrar a tu cuenta',
    over: 'Tu sesión terminó: venció, o tu cuenta se abrió en otra computadora',
  } satisfies Record<StoredSessionEndReason, string>,
  pt: {
    'opened-elsewhere': 'Sua conta foi acessada em outro computador',
    'logged-out': 'Você saiu em outra aba',
    'password-changed': 'Sua senha foi alterada',
    'account-closed': 'Sua conta está fechada',
    'two-factor-asked': 'Sua empresa exige verificação em duas etapas',
    'sign-in-changed': 'A forma de entrar na sua conta mudou',
    over: 'Sua sessão terminou: venceu, ou sua conta foi acessada em outro computador',
  },
  en: {
    'opened-elsewhere': 'Your account was opened on another computer',
    'logged-out': 'You logged out in another tab',
    'password-changed': 'Your password changed',
    'account-closed': 'Your account is closed',
    'two-factor-asked': 'Your company requires two-step verification',
    'sign-in-changed': 'The way you log in has changed',
    over: 'Your session ended: it expired, or your account was opened on another computer',
  },
})
