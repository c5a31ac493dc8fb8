import { defineTexts } from '../../lib/texts.ts'

export const texts = defineTexts({
  es: {
    title: 'Tu perfil',
    saved: 'Perfil guardado',
    password: 'Nueva contraseña',
    passwordHelp: 'Déjala vacía para no cambiarla.',
    weeklyMail: 'Resumen semanal por correo',
    weeklyMailHelp: 'Los lunes por la mañana, con los números de la semana anterior.',
  },
  pt: {
    title: 'Seu perfil',
    saved: 'Perfil salvo',
    password: 'Nova senha',
    passwordHelp: 'Deixe vazia para não mudar.',
    weeklyMail: 'Resumo semanal por e-mail',
    weeklyMailHelp: 'Às segundas de manhã, com os números da semana anterior.',
  },
  en: {
    title: 'Your profile',
    saved: 'Profile saved',
    password: 'New password',
    passwordHelp: 'Leave blank to keep it.',
    weeklyMail: 'Weekly email',
    weeklyMailHelp: "On Monday mornings, with last week's numbers.",
  },
})
