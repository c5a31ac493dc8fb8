import type { Language } from '@recado/contract/users'

/** The labels of an exported conversation. Spanish defines the shape. */
const es = {
  title: (name: string) => `Conversación con ${name}`,
  made: (at: string, by: string) => `Exportada el ${at} por ${by}`,
  zone: (zone: string) => `Horas de ${zone}`,
  ticket: (number: number) => `Ticket ${number}`,
  alone: 'Sin ticket',
  bot: 'Respuesta automática',
  us: 'Nosotros',
  edited: 'editado',
  failed: 'no se envió',
  answer: (name: string) => `En respuesta a ${name}`,
  transcript: 'Transcripción',
  cut: (count: number) => `Hay mensajes anteriores: aquí están los últimos ${count}.`,
  none: 'Todavía no hay mensajes.',
}
const pt: typeof es = {
  title: (name) => `Conversa com ${name}`,
  made: (at, by) => `Exportada em ${at} por ${by}`,
  zone: (zone) => `Horários de ${zone}`,
  ticket: (number) => `Ticket ${number}`,
  alone: 'Sem ticket',
  bot: 'Resposta automática',
  us: 'Nós',
  edited: 'editada',
  failed: 'não foi enviada',
  answer: (name) => `Em resposta a ${name}`,
  transcript: 'Transcrição',
  cut: (count) => `Há mensagens anteriores: aqui estão as últimas ${count}.`,
  none: 'Ainda não há mensagens.',
}
const en: typeof es = {
  title: (name) => `Conversation with ${name}`,
  made: (at, by) => `Exported on ${at} by ${by}`,
  zone: (zone) => `Times in ${zone}`,
  ticket: (number) => `Ticket ${number}`,
  alone: 'No ticket',
  bot: 'Automatic reply',
  us: 'Us',
  edited: 'edited',
  failed: 'not sent',
  answer: (name) => `In reply to ${name}`,
  transcript: 'Transcript',
  cut: (count) => `There are earlier messages: these are the last ${count}.`,
  none: 'No messages yet.',
}
export const conversationExportTexts: Record<Language, typeof es> = { es, pt, en }
