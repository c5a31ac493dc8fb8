import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'Tu perfil',
    saved: 'Perfil guardado',
    password: 'Nueva contraseña',
    passwordHelp: 'Déjala vacía para no cambiarla.',
  },
  pt: {
    title: 'Seu perfil',
    saved: 'Perfil salvo',
    password: 'Nova senha',
    passwordHelp: 'Deixe vazia para não mudar.',
  },
  en: {
    title: 'Your profile',
    saved: 'Profile saved',
    password: 'New password',
    passwordHelp: 'Leave it empty to keep it.',
  },
})
