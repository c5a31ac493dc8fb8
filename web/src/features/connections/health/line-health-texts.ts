import { defineTexts } from '../../../lib/texts.ts'

export const lineHealthTexts = defineTexts({
  es: {
    menuItem: 'Salud de la línea',
    openOf: (line: string, said: string) => `${line}: ${said}. Ver la salud de la línea`,
    ofLimit: (n: string, limit: string) => `${n} de ${limit} en 24 h`,
    quality: { green: 'Calidad alta', yellow: 'Calidad media', red: 'Calidad baja' },
    account: {
      restricted: 'Cuenta restringida por Meta',
      violation: 'Meta señala una infracción',
      scheduled: 'Meta va a cerrar la cuenta',
      disabled: 'Meta cerró la cuenta',
      deleted: 'La cuenta fue eliminada',
      rejected: 'Meta no aprobó la cuenta',
    },
    nameRejected: 'Nombre rechazado',
  },
  pt: {
    menuItem: 'Saúde da linha',
    openOf: (line, said) => `${line}: ${said}. Ver a saúde da linha`,
    ofLimit: (n, limit) => `${n} de ${limit} em 24 h`,
    quality: { green: 'Qualidade alta', yellow: 'Qualidade média', red: 'Qualidade baixa' },
    account: {
      restricted: 'Conta restrita pela Meta',
      violation: 'A Meta apontou uma infração',
      scheduled: 'A Meta vai encerrar a conta',
      disabled: 'A Meta encerrou a conta',
      deleted: 'A conta foi excluída',
      rejected: 'A Meta não aprovou a conta',
    },
    nameRejected: 'Nome recusado',
  },
  en: {
    menuItem: 'Line health',
    openOf: (line, said) => `${line}: ${said}. View line health`,
    ofLimit: (n, limit) => `${n} of ${limit} in 24 h`,
    quality: { green: 'High quality', yellow: 'Medium quality', red: 'Low quality' },
    account: {
      restricted: 'Account restricted by Meta',
      violation: 'Meta reports a violation',
      scheduled: 'Meta will close the account',
      disabled: 'Meta closed the account',
      deleted: 'The account was deleted',
      rejected: "Meta didn't approve the account",
    },
    nameRejected: 'Name rejected',
  },
})
