import { defineTexts } from '../../lib/texts.ts'

export const twoFactorTexts = defineTexts({
  es: {
    scan: 'Escanea este código con tu app de autenticación (Google Authenticator, Aegis, 1Password u otra).',
    picture: 'Código para la app de autenticación',
    typed: '¿No puedes escanear? Escribe esta clave en la app:',
    code: 'Código de la app',
    codeHelp: 'Los 6 dígitos que muestra ahora.',
    codeMissing: 'Escribe el código',
    codesTitle: 'Guarda tus códigos de recuperación',
    codesLine:
      'Si pierdes el teléfono, cada uno te deja entrar una vez. Cópialos o descárgalos ahora: no se vuelven a mostrar.',
    copy: 'Copiar',
    copied: 'Copiados',
    download: 'Descargar',
    file: 'recado-codigos.txt',
  },
  pt: {
    scan: 'Escaneie este código com seu app de autenticação (Google Authenticator, Aegis, 1Password ou outro).',
    picture: 'Código para o app de autenticação',
    typed: 'Não consegue escanear? Digite esta chave no app:',
    code: 'Código do app',
    codeHelp: 'Os 6 dígitos que ele mostra agora.',
    codeMissing: 'Digite o código',
    codesTitle: 'Guarde seus códigos de recuperação',
    codesLine: 'Se você perder o celular, cada um deixa entrar uma vez. Copie ou baixe agora: não aparecem de novo.',
    copy: 'Copiar',
    copied: 'Copiados',
    download: 'Baixar',
    file: 'recado-codigos.txt',
  },
  en: {
    scan: 'Scan this code with your authenticator app (Google Authenticator, Aegis, 1Password or similar).',
    picture: 'Code for the authenticator app',
    typed: "Can't scan it? Enter this key in the app:",
    code: 'App code',
    codeHelp: "The 6 digits it's showing now.",
    codeMissing: 'Enter the code',
    codesTitle: 'Save your recovery codes',
    codesLine:
      "If you lose your phone, each one lets you in once. Copy or download them now: they won't be shown again.",
    copy: 'Copy',
    copied: 'Copied',
    download: 'Download',
    file: 'recado-codes.txt',
  },
})
