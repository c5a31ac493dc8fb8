import { defineTexts } from '../../../lib/texts.ts'

type StepList = readonly (readonly string[])[]

/** Texts for linking a phone with a passkey. In steps, bold and plain text alternate. */
export const passkeyTexts = defineTexts({
  es: {
    title: 'WhatsApp pide la llave de acceso de este número',
    warning:
      'Sin probar con números reales: WhatsApp puede rechazarlo o bloquear el número. Si no puedes perderlo, cancela y usa la API oficial.',
    steps: [
      [
        'Usa el navegador que tiene la llave de acceso',
        ' de este WhatsApp, con la extensión de Recado instalada: está en la carpeta extension de su código.',
      ],
      ['Crea la dirección', ' y ábrela en ese navegador. Vale una sola vez, por unos minutos.'],
      ['Firma con tu llave', ' en la página de WhatsApp. A Recado llega solo la firma, nunca la llave ni tu sesión.'],
      ['Compara el código', ' que aparecerá aquí con el del teléfono.'],
    ] as StepList,
    create: 'Crear la dirección',
    again: 'Crear otra dirección',
    address: 'Dirección de un solo uso',
    copy: 'Copiar la dirección',
    open: 'Abrir en WhatsApp Web',
    validUntil: (time: string) => `Vale hasta las ${time}.`,
    signed: 'Firma recibida. Esperamos al teléfono.',
    compareTitle: '¿El teléfono muestra este mismo código?',
    compareHint:
      'Compara los ocho caracteres. Si alguno es distinto, otra persona intenta vincular el número: no lo confirmes.',
    codeIs: (code: string) => `Código: ${code}`,
    confirm: 'Sí, es el mismo',
    cancel: 'Cancelar',
    differs: 'No es el mismo',
  },
  pt: {
    title: 'O WhatsApp pede a chave de acesso deste número',
    warning:
      'Não testado com números reais: o WhatsApp pode recusar ou bloquear o número. Se você não pode perdê-lo, cancele e use a API oficial.',
    steps: [
      [
        'Use o navegador que tem a chave de acesso',
        ' deste WhatsApp, com a extensão do Recado instalada: está na pasta extension do código dele.',
      ],
      ['Crie o endereço', ' e abra nesse navegador. Vale uma única vez, por alguns minutos.'],
      [
        'Assine com sua chave',
        ' na página do WhatsApp. Ao Recado chega só a assinatura, nunca a chave nem sua sessão.',
      ],
      ['Compare o código', ' que vai aparecer aqui com o do telefone.'],
    ],
    create: 'Criar o endereço',
    again: 'Criar outro endereço',
    address: 'Endereço de uso único',
    copy: 'Copiar o endereço',
    open: 'Abrir no WhatsApp Web',
    validUntil: (time) => `Vale até as ${time}.`,
    signed: 'Assinatura recebida. Esperando o telefone.',
    compareTitle: 'O telefone mostra este mesmo código?',
    compareHint:
      'Compare os oito caracteres. Se algum for diferente, outra pessoa tenta conectar o número: não confirme.',
    codeIs: (code) => `Código: ${code}`,
    confirm: 'Sim, é o mesmo',
    cancel: 'Cancelar',
    differs: 'Não é o mesmo',
  },
  en: {
    title: "WhatsApp asks for this number's passkey",
    warning:
      "Untried with real numbers: WhatsApp may refuse it or ban the number. If you can't afford to lose it, cancel and use the official API.",
    steps: [
      [
        'Use the browser that has the passkey',
        " of this WhatsApp, with Recado's extension installed: it's in the extension folder of its source code.",
      ],
      ['Create the address', ' and open it in that browser. It works once, for a few minutes.'],
      [
        'Sign with your passkey',
        " on WhatsApp's page. Recado only gets the signature, never the passkey or your session.",
      ],
      ['Compare the code', ' that will appear here with the one on the phone.'],
    ],
    create: 'Create the address',
    again: 'Create another address',
    address: 'One-time address',
    copy: 'Copy the address',
    open: 'Open in WhatsApp Web',
    validUntil: (time) => `Valid until ${time}.`,
    signed: 'Signature received. Waiting for the phone.',
    compareTitle: 'Does the phone show this same code?',
    compareHint:
      "Compare all eight characters. If any differs, someone else is trying to link the number: don't confirm.",
    codeIs: (code) => `Code: ${code}`,
    confirm: "Yes, it's the same",
    cancel: 'Cancel',
    differs: "It's not the same",
  },
})
