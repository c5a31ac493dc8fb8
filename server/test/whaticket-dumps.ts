import { hash } from 'bcryptjs'

/**
 * Dumps in the format of Whaticket-compatible installations, with their published tables and columns and with our own
 * content. A table consists of its columns and its rows.
 */
export type DumpCell = string | number | boolean | null
export type DumpTable = { columns: string[]; rows: DumpCell[][] }
export type DumpTables = Record<string, DumpTable>

const copyCell = (cell: DumpCell): string =>
  cell === null
    ? '\\N'
    : typeof cell === 'boolean'
      ? cell
        ? 't'
        : 'f'
      : String(cell).replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

/** The format of `pg_dump`: tables by name, regardless of references. */
export function writePgDump(tables: DumpTables): string {
  const blocks = Object.entries(tables).map(
    ([name, { columns, rows }]) =>
      `--\n-- Data for Name: ${name}; Type: TABLE DATA; Schema: public; Owner: ticketz\n--\n\n` +
      `COPY public."${name}" (${columns.map((c) => (/[A-Z]/.test(c) ? `"${c}"` : c)).join(', ')}) FROM stdin;\n` +
      `${rows.map((row) => `${row.map(copyCell).join('\t')}\n`).join('')}\\.\n\n`,
  )
  return `--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\n\nCREATE TABLE public."SequelizeMeta" (\n    name character varying(255) NOT NULL\n);\n\n${blocks.join('\n')}\n--\n-- PostgreSQL database dump complete\n--\n`
}

const quote = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('"', '\\"').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\0', '\\0')}'`
const insertCell = (cell: DumpCell): string =>
  cell === null ? 'NULL' : typeof cell === 'string' ? quote(cell) : String(Number(cell))

/** The format of `mysqldump`: a table's columns once, then several rows in each long INSERT. */
export function writeMysqlDump(tables: DumpTables, perLine = 2): string {
  const blocks = Object.entries(tables).map(([name, { columns, rows }]) => {
    const lines: string[] = []
    for (let at = 0; at < rows.length; at += perLine)
      lines.push(
        `INSERT INTO \`${name}\` VALUES ${rows
          .slice(at, at + perLine)
          .map((row) => `(${row.map(insertCell).join(',')})`)
          .join(',')};`,
      )
    return [
      `DROP TABLE IF EXISTS \`${name}\`;`,
      `CREATE TABLE \`${name}\` (`,
      ...columns.map((c) => `  \`${c}\` varchar(255) DEFAULT NULL,`),
      '  PRIMARY KEY (`id`),',
      '  KEY `some_key` (`id`)',
      ') ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;',
      `LOCK TABLES \`${name}\` WRITE;`,
      ...lines,
      'UNLOCK TABLES;',
      '',
    ].join('\n')
  })
  return `-- MariaDB dump 10.19  Distrib 10.6.12-MariaDB\n/*!40101 SET NAMES utf8mb4 */;\n\n${blocks.join('\n')}\n-- Dump completed\n`
}

export const oldPassword = 'clave-de-antes'
/** A hash with the lowest cost of bcrypt, because tests need not be secure. */
export const hashOldPassword = () => hash(oldPassword, 4)

/** A table from objects: missing values are null. */
export const makeDumpTable = (columns: string, rows: Record<string, DumpCell>[]): DumpTable => {
  const names = columns.split(' ')
  return { columns: names, rows: rows.map((row) => names.map((name) => row[name] ?? null)) }
}

const marchMoment = (day: number, time = '12:00:00') => `2026-03-${String(day).padStart(2, '0')} ${time}+00`
const createdAndUpdated = { createdAt: marchMoment(1), updatedAt: marchMoment(1) }

/** Special characters that must survive the import. */
export const textWithOddCharacters = 'línea 1\nlínea 2\tcon\\barra "y" \'comillas\' 🌵'

/** A ticketz installation with two companies, and all defects of real installations. */
export async function makeTicketzTables(now: Date): Promise<DumpTables> {
  const passwordHash = await hashOldPassword()
  const own = { companyId: 1, ...createdAndUpdated }
  const user = { ...own, passwordHash, profile: 'user', super: false }
  const soon = new Date(now.getTime() + 86_400_000).toISOString().replace('T', ' ').replace('Z', '+00')
  return {
    CampaignSettings: makeDumpTable('id key value companyId createdAt updatedAt', [
      { id: 1, key: 'messageInterval', value: '10', ...own },
      { id: 2, key: 'variables', value: '[{"key":"ciudad","value":"Lima"}]', ...own },
      { id: 3, key: 'sabor', value: '1', ...own },
    ]),
    CampaignShipping: makeDumpTable(
      'id jobId number message confirmationMessage confirmation contactId campaignId deliveredAt createdAt updatedAt',
      [
        {
          id: 1,
          number: '5491155550001',
          message: '\u200cHola',
          contactId: 1,
          campaignId: 1,
          deliveredAt: marchMoment(3),
          ...createdAndUpdated,
        },
        {
          id: 2,
          number: '5491155550001',
          message: '\u200cHola',
          contactId: 1,
          campaignId: 2,
          deliveredAt: marchMoment(3),
          ...createdAndUpdated,
        },
        { id: 3, number: '5491155550002', message: '\u200cHola', contactId: 2, campaignId: 2, ...createdAndUpdated },
      ],
    ),
    Campaigns: makeDumpTable(
      'id name message1 message2 status confirmation mediaPath scheduledAt completedAt companyId contactListId tagId whatsappId createdAt updatedAt',
      [
        {
          id: 1,
          name: 'Marzo',
          message1: 'Hola {nome}',
          status: 'FINALIZADA',
          completedAt: marchMoment(4),
          scheduledAt: marchMoment(3),
          contactListId: 1,
          whatsappId: 1,
          ...own,
        },
        {
          id: 2,
          name: 'En curso',
          message1: 'Hola',
          status: 'EM_ANDAMENTO',
          scheduledAt: marchMoment(3),
          contactListId: 1,
          whatsappId: 1,
          ...own,
        },
        {
          id: 3,
          name: 'Para mañana',
          message1: 'Hola',
          status: 'PROGRAMADA',
          scheduledAt: soon,
          contactListId: 1,
          whatsappId: 1,
          ...own,
        },
      ],
    ),
    Companies: makeDumpTable(
      'id name phone email status dueDate recurrence schedules planId language createdAt updatedAt',
      [
        {
          ...{
            id: 1,
            name: 'Empresa Uno',
            phone: '5491155559999',
            email: 'hola@uno.test',
            status: true,
            planId: 1,
            language: 'es',
          },
          ...{ dueDate: '2093-03-14', recurrence: 'MENSAL', ...createdAndUpdated },
          schedules: JSON.stringify({
            weeklyRules: [
              {
                days: ['mon', 'tue'],
                hours: [
                  { from: '09:00', to: '13:00' },
                  { from: '15:00', to: '19:00' },
                ],
              },
            ],
            overrides: [{ date: '2026-12-25', repeat: 'yearly', closed: true, label: 'Navidad' }],
            timezone: 'America/Lima',
          }),
        },
        {
          id: 2,
          name: 'recado',
          status: true,
          planId: 1,
          dueDate: '2093-03-14',
          schedules: '[]',
          ...createdAndUpdated,
        },
      ],
    ),
    ContactCustomFields: makeDumpTable('id name value contactId createdAt updatedAt', [
      { id: 1, name: 'Ciudad', value: 'Lima', contactId: 1, ...createdAndUpdated },
      { id: 2, name: 'Documento', value: '123', contactId: 2, ...createdAndUpdated },
      { id: 3, name: 'Perdido', value: 'x', contactId: 99, ...createdAndUpdated },
    ]),
    ContactListItems: makeDumpTable(
      'id name number email isWhatsappValid companyId contactListId createdAt updatedAt',
      [
        {
          id: 1,
          name: 'Cliente Cinco',
          number: '5491155550001',
          email: '',
          isWhatsappValid: true,
          contactListId: 1,
          ...own,
        },
        {
          id: 2,
          name: 'Cliente Seis',
          number: '5491155550002',
          email: '',
          isWhatsappValid: true,
          contactListId: 1,
          ...own,
        },
        { id: 3, name: 'Cliente Cinco otra vez', number: '+54 9 11 5555-0001', email: '', contactListId: 1, ...own },
      ],
    ),
    ContactLists: makeDumpTable('id name companyId createdAt updatedAt', [{ id: 1, name: 'Todos', ...own }]),
    ContactTags: makeDumpTable('contactId tagId createdAt updatedAt', [
      { contactId: 5, tagId: 1, ...createdAndUpdated },
    ]),
    Contacts: makeDumpTable(
      'id name number profilePicUrl createdAt updatedAt email isGroup companyId disableBot channel',
      [
        { id: 1, name: 'Cliente Uno', number: '5511987654321', email: '', isGroup: false, ...own },
        { id: 2, name: 'Cliente Uno', number: '551187654321', email: '', isGroup: false, ...own },
        { id: 3, name: 'Grupo', number: '120363041234567890', email: '', isGroup: true, ...own },
        { id: 4, name: 'Sin número', number: '', email: '', isGroup: false, ...own },
        {
          id: 5,
          name: 'Cliente Cinco',
          number: '5491155550001',
          email: 'cinco@cliente.test',
          isGroup: false,
          disableBot: true,
          ...own,
        },
        { id: 6, name: 'De otra red', number: '998877665544', email: '', isGroup: false, channel: 'facebook', ...own },
        { id: 7, name: 'Cliente de Dos', number: '5511987654321', email: '', isGroup: false, ...own, companyId: 2 },
      ],
    ),
    Invoices: makeDumpTable('id detail status value createdAt updatedAt dueDate companyId', [
      { id: 1, detail: 'Plano', status: 'open', value: 30, ...own },
    ]),
    Messages: makeDumpTable(
      'id body ack read mediaType mediaUrl thumbnailUrl ticketId createdAt updatedAt fromMe isDeleted contactId quotedMsgId companyId remoteJid dataJson participant queueId isEdited channel userId',
      [
        // This message is out of time order.
        {
          id: 'M3',
          body: 'hola otra vez',
          ack: 0,
          read: false,
          mediaType: 'conversation',
          ticketId: 2,
          ...messageDates(6),
          fromMe: false,
          contactId: 2,
        },
        {
          id: 'M1',
          body: textWithOddCharacters,
          ack: 0,
          read: true,
          mediaType: 'conversation',
          ticketId: 1,
          ...messageDates(5),
          fromMe: false,
          contactId: 1,
        },
        {
          id: 'M2',
          body: 'respuesta',
          ack: 3,
          read: true,
          mediaType: 'extendedTextMessage',
          ticketId: 1,
          ...messageDates(5, '12:05:00'),
          fromMe: true,
          quotedMsgId: 'M1',
          userId: 1,
        },
        {
          id: 'M4',
          body: 'foto.png',
          ack: 0,
          read: true,
          mediaType: 'image',
          mediaUrl: 'media/1/3/foto.png',
          ticketId: 3,
          ...messageDates(4),
          fromMe: false,
          contactId: 5,
        },
        {
          id: 'M5',
          body: 'perdida.jpg',
          ack: 0,
          read: true,
          mediaType: 'image',
          mediaUrl: 'media/1/3/perdida.jpg',
          ticketId: 3,
          ...messageDates(4, '12:01:00'),
          fromMe: false,
          contactId: 5,
        },
        {
          id: 'M6',
          body: 'esto no',
          ack: 1,
          read: true,
          mediaType: 'conversation',
          ticketId: 3,
          ...messageDates(4, '12:02:00'),
          fromMe: true,
          isDeleted: true,
        },
        {
          id: 'M7',
          body: '👍',
          ack: 0,
          read: true,
          mediaType: 'reactionMessage',
          ticketId: 1,
          ...messageDates(5, '12:06:00'),
          fromMe: false,
          contactId: 1,
          quotedMsgId: 'M2',
        },
        {
          id: 'M8',
          body: 'en el grupo',
          ack: 0,
          read: true,
          mediaType: 'conversation',
          ticketId: 5,
          ...messageDates(4),
          fromMe: false,
          contactId: 1,
        },
        {
          id: 'M9',
          body: 'no salió',
          ack: -1,
          read: true,
          mediaType: 'conversation',
          ticketId: 3,
          ...messageDates(4, '12:03:00'),
          fromMe: true,
        },
        {
          id: 'M10',
          body: 'de nadie',
          ack: 0,
          read: true,
          mediaType: 'conversation',
          ticketId: 99,
          ...messageDates(4),
          fromMe: false,
        },
        {
          id: 'M11',
          body: 'sin línea',
          ack: 0,
          read: true,
          mediaType: 'conversation',
          ticketId: 6,
          ...messageDates(2),
          fromMe: false,
          contactId: 5,
        },
        {
          id: 'M1',
          body: 'de la empresa dos',
          ack: 0,
          read: true,
          mediaType: 'conversation',
          ticketId: 7,
          ...messageDates(3),
          fromMe: false,
          contactId: 7,
          companyId: 2,
        },
      ],
    ),
    Plans: makeDumpTable('id name users connections queues value createdAt updatedAt currency isPublic', [
      {
        id: 1,
        name: 'Plano Uno',
        users: 10,
        connections: 5,
        queues: 7,
        value: 30,
        ...createdAndUpdated,
        isPublic: true,
      },
    ]),
    QueueOptions: makeDumpTable(
      'id title message option queueId parentId createdAt updatedAt forwardQueueId exitChatbot',
      [
        { id: 2, title: 'Precios', message: 'Estos son', option: '1', parentId: 1, ...createdAndUpdated },
        { id: 1, title: 'Productos', message: '', option: '1', queueId: 1, ...createdAndUpdated },
        { id: 3, title: 'Soporte', message: '', option: 'x', queueId: 1, forwardQueueId: 2, ...createdAndUpdated },
        { id: 4, title: 'De nadie', message: '', option: '1', queueId: 77, ...createdAndUpdated },
      ],
    ),
    Queues: makeDumpTable(
      'id name color greetingMessage createdAt updatedAt companyId outOfHoursMessage schedules mediaPath mediaName',
      [
        {
          id: 1,
          name: 'Ventas',
          color: '#2f9e44',
          greetingMessage: 'Hola, ventas',
          outOfHoursMessage: 'Cerrado',
          schedules: '[]',
          ...own,
        },
        { id: 2, name: 'Soporte', color: '#2F9E44', greetingMessage: '', schedules: '[]', ...own },
      ],
    ),
    QuickMessages: makeDumpTable('id shortcode message companyId createdAt updatedAt userId mediaName mediaPath', [
      { id: 1, shortcode: 'hola', message: 'Hola, ¿en qué ayudo?', ...own, userId: 1 },
      { id: 2, shortcode: 'HOLA', message: 'Otra', ...own, userId: 1 },
      { id: 3, shortcode: 'todos', message: 'Para todos', ...own },
    ]),
    Schedules: makeDumpTable(
      'id body sendAt sentAt contactId ticketId userId companyId createdAt updatedAt status saveMessage',
      [
        {
          id: 1,
          body: 'ya salió',
          sendAt: marchMoment(2),
          sentAt: marchMoment(2),
          contactId: 5,
          userId: 1,
          status: 'ENVIADA',
          ...own,
        },
        { id: 2, body: 'para mañana', sendAt: soon, contactId: 5, userId: 1, status: 'PENDENTE', ...own },
        { id: 3, body: 'se pasó', sendAt: marchMoment(2), contactId: 5, userId: 1, status: 'PENDENTE', ...own },
      ],
    ),
    Settings: makeDumpTable('key value createdAt updatedAt companyId id', [
      { key: 'userRating', value: 'enabled', ...own, id: 1 },
      { key: 'autoReopenTimeout', value: '50', ...own, id: 2 },
      { key: 'scheduleType', value: 'company', ...own, id: 3 },
      { key: 'soundOfTheSea', value: 'on', ...own, id: 4 },
    ]),
    Tags: makeDumpTable('id name color companyId createdAt updatedAt kanban', [
      { id: 1, name: 'Urgente', color: '#d73434', ...own, kanban: 0 },
      { id: 2, name: 'En trámite', color: 'rojo', ...own, kanban: 1 },
    ]),
    TicketNotes: makeDumpTable('id note userId contactId ticketId createdAt updatedAt', [
      { id: 1, note: 'Llamar el lunes', userId: 1, contactId: 1, ticketId: 1, ...createdAndUpdated },
      { id: 2, note: 'De nadie', userId: 1, contactId: 1, ticketId: 99, ...createdAndUpdated },
    ]),
    TicketTags: makeDumpTable('ticketId tagId createdAt updatedAt', [
      { ticketId: 2, tagId: 1, ...createdAndUpdated },
      { ticketId: 2, tagId: 2, ...createdAndUpdated },
      { ticketId: 2, tagId: 2, ...createdAndUpdated },
    ]),
    TicketTraking: makeDumpTable(
      'id ticketId companyId whatsappId userId createdAt updatedAt startedAt queuedAt finishedAt ratingAt rated expired',
      [
        {
          id: 1,
          ticketId: 3,
          companyId: 1,
          whatsappId: 1,
          userId: 1,
          createdAt: marchMoment(4),
          updatedAt: marchMoment(4),
          startedAt: marchMoment(4),
          queuedAt: marchMoment(4),
          finishedAt: marchMoment(4, '13:00:00'),
          rated: true,
        },
        {
          id: 2,
          ticketId: 2,
          companyId: 1,
          whatsappId: 1,
          createdAt: marchMoment(6),
          updatedAt: marchMoment(6),
          queuedAt: marchMoment(6),
          rated: false,
        },
      ],
    ),
    Tickets: makeDumpTable(
      'id status lastMessage contactId userId createdAt updatedAt whatsappId isGroup unreadMessages queueId companyId uuid queueOptionId chatbot channel',
      [
        {
          id: 1,
          status: 'open',
          lastMessage: 'respuesta',
          contactId: 1,
          userId: 1,
          createdAt: marchMoment(5),
          updatedAt: marchMoment(5),
          whatsappId: 1,
          isGroup: false,
          unreadMessages: 0,
          queueId: 1,
          companyId: 1,
          uuid: '11111111-1111-4111-8111-111111111111',
        },
        {
          id: 2,
          status: 'pending',
          lastMessage: 'hola otra vez',
          contactId: 2,
          createdAt: marchMoment(6),
          updatedAt: marchMoment(6),
          whatsappId: 1,
          isGroup: false,
          unreadMessages: 1,
          queueId: 1,
          companyId: 1,
          uuid: '11111111-1111-4111-8111-111111111111',
        },
        {
          id: 3,
          status: 'closed',
          lastMessage: 'foto',
          contactId: 5,
          userId: 1,
          createdAt: marchMoment(4),
          updatedAt: marchMoment(4),
          whatsappId: 1,
          isGroup: false,
          unreadMessages: 3,
          queueId: 2,
          companyId: 1,
        },
        {
          id: 4,
          status: 'open',
          lastMessage: '',
          contactId: 4,
          createdAt: marchMoment(4),
          updatedAt: marchMoment(4),
          whatsappId: 1,
          companyId: 1,
        },
        {
          id: 5,
          status: 'open',
          lastMessage: 'en el grupo',
          contactId: 3,
          userId: 77,
          createdAt: marchMoment(4),
          updatedAt: marchMoment(4),
          whatsappId: 2,
          isGroup: true,
          companyId: 1,
        },
        {
          id: 6,
          status: 'closed',
          lastMessage: 'sin línea',
          contactId: 5,
          createdAt: marchMoment(2),
          updatedAt: marchMoment(2),
          companyId: 1,
        },
        {
          id: 7,
          status: 'closed',
          lastMessage: 'de la empresa dos',
          contactId: 7,
          createdAt: marchMoment(3),
          updatedAt: marchMoment(3),
          whatsappId: 4,
          companyId: 2,
        },
      ],
    ),
    UserQueues: makeDumpTable('userId queueId createdAt updatedAt', [
      { userId: 1, queueId: 1, ...createdAndUpdated },
      { userId: 3, queueId: 2, ...createdAndUpdated },
    ]),
    UserRatings: makeDumpTable('id ticketId companyId userId rate createdAt updatedAt', [
      { id: 1, ticketId: 3, userId: 1, rate: 5, ...own },
    ]),
    Users: makeDumpTable('id name email passwordHash createdAt updatedAt profile tokenVersion companyId super online', [
      { id: 1, name: 'Admin de Uno', email: 'Admin@uno.test', ...user, profile: 'admin', super: true },
      { id: 2, name: 'Tiene dirección ajena', email: 'super@recado.test', ...user },
      { id: 3, name: 'Sin clave que sirva', email: 'sinclave@uno.test', ...user, passwordHash: 'md5:123' },
      { id: 4, name: 'Admin de Dos', email: 'admin@dos.test', ...user, profile: 'admin', companyId: 2 },
    ]),
    WhatsappQueues: makeDumpTable('whatsappId queueId createdAt updatedAt', [
      { whatsappId: 1, queueId: 1, ...createdAndUpdated },
      { whatsappId: 1, queueId: 2, ...createdAndUpdated },
    ]),
    Whatsapps: makeDumpTable(
      'id session qrcode status battery plugged createdAt updatedAt name isDefault retries greetingMessage companyId complationMessage outOfHoursMessage ratingMessage token farewellMessage provider channel',
      [
        {
          id: 1,
          session: '{"creds":{}}',
          qrcode: '',
          status: 'CONNECTED',
          ...own,
          name: 'Principal',
          isDefault: true,
          retries: 0,
          greetingMessage: 'Elige',
          complationMessage: 'Gracias',
          token: 'token-de-la-linea',
        },
        {
          id: 2,
          session: '',
          qrcode: '',
          status: 'CONNECTED',
          ...own,
          name: 'Segunda',
          isDefault: true,
          token: 'token-de-la-linea',
        },
        { id: 3, session: '', status: 'CONNECTED', ...own, name: 'Facebook', isDefault: false, channel: 'facebook' },
        { id: 4, session: '', status: 'CONNECTED', ...own, name: 'Principal', isDefault: true, companyId: 2 },
      ],
    ),
  }
}

const messageDates = (day: number, time?: string) => ({
  createdAt: marchMoment(day, time),
  updatedAt: marchMoment(day, time),
  companyId: 1,
})

/** A single-company Whaticket installation on MySQL: no companies, and timestamps in Brazilian time. */
export async function makeWhaticketTables(): Promise<DumpTables> {
  const passwordHash = await hashOldPassword()
  const day = (d: number, time = '09:00:00') => `2025-06-0${d} ${time}`
  const timestamps = { createdAt: day(1), updatedAt: day(1) }
  return {
    ContactCustomFields: makeDumpTable('id name value contactId createdAt updatedAt', [
      { id: 1, name: 'Bairro', value: 'Centro', contactId: 1, ...timestamps },
    ]),
    Contacts: makeDumpTable('id name number profilePicUrl createdAt updatedAt email isGroup', [
      { id: 1, name: "D'Ávila; (teste)", number: '5521988887777', email: '', isGroup: false, ...timestamps },
    ]),
    Messages: makeDumpTable(
      'id body ack read mediaType mediaUrl ticketId createdAt updatedAt fromMe isDeleted contactId quotedMsgId',
      [
        {
          id: '3EB0B',
          body: 'boa tarde',
          ack: 2,
          read: 1,
          mediaType: 'chat',
          ticketId: 9,
          createdAt: day(2, '10:01:00'),
          updatedAt: day(2),
          fromMe: 1,
          isDeleted: 0,
          quotedMsgId: '3EB0A',
        },
        {
          id: '3EB0A',
          body: `INSERT INTO \`Users\` VALUES (1);\n${textWithOddCharacters}`,
          ack: 0,
          read: 1,
          mediaType: 'chat',
          ticketId: 9,
          createdAt: day(2, '10:00:00'),
          updatedAt: day(2),
          fromMe: 0,
          isDeleted: 0,
          contactId: 1,
        },
        {
          id: '3EB0C',
          body: 'nota.txt',
          ack: 0,
          read: 1,
          mediaType: 'application',
          mediaUrl: '1717000000000_nota.txt',
          ticketId: 9,
          createdAt: day(2, '10:02:00'),
          updatedAt: day(2),
          fromMe: 0,
          isDeleted: 0,
          contactId: 1,
        },
      ],
    ),
    Queues: makeDumpTable('id name color greetingMessage createdAt updatedAt', [
      { id: 1, name: 'Vendas', color: '#0b4f71', greetingMessage: 'Oi', ...timestamps },
    ]),
    QuickAnswers: makeDumpTable('id shortcut message createdAt updatedAt', [
      { id: 1, shortcut: 'oi', message: 'Olá!', ...timestamps },
    ]),
    Settings: makeDumpTable('key value createdAt updatedAt', [
      { key: 'userCreation', value: 'enabled', ...timestamps },
      { key: 'CheckMsgIsGroup', value: 'disabled', ...timestamps },
    ]),
    Tickets: makeDumpTable(
      'id status lastMessage contactId userId createdAt updatedAt whatsappId isGroup unreadMessages queueId',
      [
        {
          id: 9,
          status: 'open',
          lastMessage: 'boa tarde',
          contactId: 1,
          userId: 1,
          createdAt: day(2),
          updatedAt: day(2, '10:01:00'),
          whatsappId: 1,
          isGroup: false,
          unreadMessages: 0,
          queueId: 1,
        },
      ],
    ),
    UserQueues: makeDumpTable('userId queueId createdAt updatedAt', [{ userId: 1, queueId: 1, ...timestamps }]),
    Users: makeDumpTable('id name email passwordHash createdAt updatedAt profile tokenVersion whatsappId', [
      {
        id: 1,
        name: 'Pessoa Um',
        email: 'um@whaticket.test',
        passwordHash,
        profile: 'admin',
        tokenVersion: 0,
        whatsappId: 1,
        ...timestamps,
      },
    ]),
    WhatsappQueues: makeDumpTable('whatsappId queueId createdAt updatedAt', [
      { whatsappId: 1, queueId: 1, ...timestamps },
    ]),
    Whatsapps: makeDumpTable(
      'id session qrcode status battery plugged createdAt updatedAt name isDefault retries greetingMessage farewellMessage',
      [
        {
          id: 1,
          session: '{"WABrowserId":"x"}',
          status: 'CONNECTED',
          name: 'Loja',
          isDefault: true,
          retries: 0,
          greetingMessage: 'Oi',
          farewellMessage: 'Até logo',
          ...timestamps,
        },
      ],
    ),
  }
}
