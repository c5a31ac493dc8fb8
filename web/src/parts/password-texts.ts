import { defineTexts } from '../lib/texts.ts'

/** Texts of forms about the password rules. */
export const passwordTexts = defineTexts({
  es: {
    rule: { plain: 'De 5 a 50 caracteres.', strong: 'De 8 a 128 caracteres, y que no sea muy común.' },
    resetRule: {
      plain: 'Al menos 8 caracteres, con una mayúscula, una minúscula y un número.',
      strong: 'De 8 a 128 caracteres, y que no sea muy común.',
    },
    current: 'Contraseña actual',
    currentHelp: 'Para cambiar tu correo o tu contraseña.',
  },
  pt: {
    rule: { plain: 'De 5 a 50 caracteres.', strong: 'De 8 a 128 caracteres, e que não seja muito comum.' },
    resetRule: {
      plain: 'Pelo menos 8 caracteres, com uma maiúscula, uma minúscula e um número.',
      strong: 'De 8 a 128 caracteres, e que não seja muito comum.',
    },
    current: 'Senha atual',
    currentHelp: 'Para mudar seu e-mail ou sua senha.',
  },
  en: {
    rule: { plain: '5 to 50 characters.', strong: '8 to 128 characters, and not a common one.' },
    resetRule: {
      plain: 'At least 8 characters, with an uppercase letter, a lowercase letter and a number.',
      strong: '8 to 128 characters, and not a common one.',
    },
    current: 'Current password',
    currentHelp: 'To change your email or password.',
  },
})
