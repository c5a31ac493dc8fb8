import type { LineStatus, lineReasons, Provider } from '@recado/contract/connections'
import { defineTexts } from '../lib/texts.ts'

type Statuses = Record<LineStatus, string>
type Reasons = Record<(typeof lineReasons)[number], string>

export const lineTexts = defineTexts({
  es: {
    status: {
      OPENING: 'Abriendo',
      qrcode: 'Espera el QR',
      PAIRING: 'Emparejando',
      CONNECTED: 'Conectada',
      DISCONNECTED: 'Desconectada',
      TIMEOUT: 'Sin respuesta',
    } as Statuses,
    reason: {
      off: 'La desconectó alguien del equipo.',
      'qr-timeout': 'Nadie escaneó el código a tiempo.',
      unlinked: 'El teléfono cerró la sesión.',
      network: 'Se cortó la red. Vuelve sola.',
      'start-failed': 'No pudo abrirse. Reintenta sola.',
      'provider-missing': 'Este tipo aún no está disponible.',
    } as Reasons,
    unknownReason: (word: string) => `Motivo: ${word}`,
    silentSince: (time: string) => `No contesta desde las ${time}.`,
    provider: { beta: 'Teléfono', cloud: 'API oficial', sandbox: 'Prueba' } as Record<Provider, string>,
    qr: 'Código QR para conectar la línea',
    newCodeIn: (seconds: number) => `Nuevo código en ${seconds} s`,
    newCodeSoon: 'El código nuevo llega enseguida',
    testPhone: 'Teléfono de prueba',
  },
  pt: {
    status: {
      OPENING: 'Abrindo',
      qrcode: 'Espera o QR',
      PAIRING: 'Pareando',
      CONNECTED: 'Conectada',
      DISCONNECTED: 'Desconectada',
      TIMEOUT: 'Sem resposta',
    },
    reason: {
      off: 'Alguém da equipe a desconectou.',
      'qr-timeout': 'Ninguém escaneou o código a tempo.',
      unlinked: 'O telefone encerrou a sessão.',
      network: 'A rede caiu. Ela volta sozinha.',
      'start-failed': 'Não abriu. Tenta de novo sozinha.',
      'provider-missing': 'Este tipo ainda não está disponível.',
    },
    unknownReason: (word) => `Motivo: ${word}`,
    silentSince: (time) => `Não responde desde as ${time}.`,
    provider: { beta: 'Telefone', cloud: 'API oficial', sandbox: 'Teste' },
    qr: 'Código QR para conectar a linha',
    newCodeIn: (seconds) => `Novo código em ${seconds} s`,
    newCodeSoon: 'O código novo chega em seguida',
    testPhone: 'Telefone de teste',
  },
  en: {
    status: {
      OPENING: 'Opening',
      qrcode: 'Waiting for the QR',
      PAIRING: 'Pairing',
      CONNECTED: 'Connected',
      DISCONNECTED: 'Disconnected',
      TIMEOUT: 'No answer',
    },
    reason: {
      off: 'Somebody in the team disconnected it.',
      'qr-timeout': 'Nobody scanned the code in time.',
      unlinked: 'The phone ended the session.',
      network: 'The network was cut. It comes back by itself.',
      'start-failed': 'It did not open. It is trying again.',
      'provider-missing': 'This kind is not available yet.',
    },
    unknownReason: (word) => `Reason: ${word}`,
    silentSince: (time) => `No answer since ${time}.`,
    provider: { beta: 'Phone', cloud: 'Official API', sandbox: 'Test' },
    qr: 'QR code to connect the line',
    newCodeIn: (seconds) => `New code in ${seconds} s`,
    newCodeSoon: 'The new code is about to arrive',
    testPhone: 'Test phone',
  },
})
