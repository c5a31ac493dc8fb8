import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'Tu perfil',
    saved: 'Perfil guardado',
    password: 'Nueva contraseña',
    passwordHelp: 'Déjala vacía para no cambiarla.',
    weeklyMail: 'La semana por correo',
    weeklyMailHelp: 'Los lunes por la mañana, con las cifras de la semana que pasó.',
  },
  pt: {
    title: 'Seu perfil',
    saved: 'Perfil salvo',
    password: 'Nova senha',
    passwordHelp: 'Deixe vazia para não mudar.',
    weeklyMail: 'A semana por e-mail',
    weeklyMailHelp: 'Às segundas de manhã, com os números da semana que passou.',
  },
  en: {
    title: 'Your profile',
    saved: 'Profile saved',
    password: 'New password',
    passwordHelp: 'Leave it empty to keep it.',
    weeklyMail: 'The week by mail',
    weeklyMailHelp: 'On Monday mornings, with the figures of the week before.',
  },
})
