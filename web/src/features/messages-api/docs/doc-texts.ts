import { defineTexts } from '../../../lib/texts.ts'

/** The text of a topic. Text between backticks is code. */
export type TopicDoc = {
  nav: string
  title: string
  lead: string
  fields?: Record<string, string>
  reply?: Record<string, string>
  notes?: Record<string, { title: string; text: string }>
  list?: Record<string, string>
}

export const docTexts = defineTexts({
  es: {
    contents: 'Contenido',
    beside: 'Ejemplo y prueba',
    code: 'Código de ejemplo',
    language: 'Lenguaje',
    body: 'Cuerpo',
    query: 'Parámetros',
    reply: 'Respuesta',
    required: 'obligatorio',
    optional: 'opcional',
    hello: 'Hola Carolina, tu lancha sale 9:15',
    putKey: 'La clave entera se vio una sola vez, al crearla: ponla donde están los puntos.',
    openDocs: 'Ver todas las llamadas',
    openJson: 'Descargar OpenAPI',
    groups: { messages: 'Mensajes', contacts: 'Contactos', webhooks: 'Webhooks', clients: 'Clientes' },
    topics: {
      start: {
        nav: 'Empezar',
        title: 'Empezar',
        lead: 'Con esta API tus programas envían mensajes por tus líneas de WhatsApp. Cada llamada lleva `Authorization: Bearer` y una clave o el token de una línea.',
        notes: {
          key: {
            title: 'Una clave o un token',
            text: 'El token de una línea está en Líneas, al editarla, y escribe por esa línea. Una clave la creas en Claves y webhooks: tiene nombre, permisos, líneas y vencimiento, y la revocas sin tocar la línea.',
          },
          number: {
            title: 'El número',
            text: 'País, área y número: `5490005550452`. Los signos entre las cifras no importan. A un grupo que la línea conoce se le escribe por su dirección, que termina en `@g.us`.',
          },
          stays: {
            title: 'Dónde queda',
            text: 'Lo que envías queda en el ticket del cliente, con el nombre de la clave, y se envía al ritmo de la línea.',
          },
        },
      },
      errors: {
        nav: 'Errores y límites',
        title: 'Errores y límites',
        lead: 'Un error trae el código en `error`; si algún dato está mal, `fields` dice cuál. Cada clave tiene su límite: las respuestas lo indican en `RateLimit-Limit`, `RateLimit-Remaining` y `RateLimit-Reset`.',
        list: {
          '400': 'Falta un dato o no es válido. `fields` dice cuál.',
          '401': '`ERR_API_KEY`: la clave falta, no existe, venció o fue revocada.',
          '402': 'La empresa no está al día, o su plan no incluye la API.',
          '403': '`ERR_API_KEY_SCOPE`: la clave no tiene ese permiso o esa línea.',
          '404': '`ERR_NOT_ON_WHATSAPP`: el número no tiene WhatsApp. Otros: eso no existe.',
          '409': 'Ahora no se puede: la misma `Idempotency-Key` está en curso, o la línea no puede hacerlo.',
          '413': 'El archivo o el cuerpo es demasiado grande.',
          '422': '`ERR_IDEMPOTENCY_KEY`: esa `Idempotency-Key` ya se usó con otro cuerpo.',
          '429': '`ERR_RATE_LIMIT`: demasiadas llamadas. `Retry-After` dice cuántos segundos esperar.',
          '5xx': 'Falla nuestra. Repite con la misma `Idempotency-Key`: no se envía dos veces.',
        },
      },
      send: {
        nav: 'Enviar',
        title: 'Enviar un mensaje',
        lead: 'Envía a un número desde una de tus líneas. Respondemos 202 cuando el mensaje quedó guardado: desde ahí no se pierde, aunque algo se caiga.',
        fields: {
          number: 'Con código de país. Si no tiene WhatsApp contestamos 404 y lo decimos.',
          body: 'El texto. Con archivo va como pie y puede faltar. Variables como `{{name}}` se completan.',
          medias: 'Uno o más archivos, en `multipart/form-data`. Cada uno es un mensaje.',
          whatsappId: 'La línea, si la clave puede usar varias. Sin él: la única, o la predeterminada.',
          queueId: 'Cola del ticket que se abra para esto.',
          userId: 'Quién atiende ese ticket.',
          closeTicket: '`true` lo deja resuelto al enviarlo.',
          quotedId: 'Responde a ese mensaje de la misma conversación.',
          location: 'Un lugar: `latitude`, `longitude`, `name`.',
          contactCard: 'El `id` de un contacto: el cliente recibe su tarjeta.',
          template: 'En líneas oficiales, fuera de las 24 horas: `name`, `language`, `variables`.',
        },
        reply: {
          id: 'El mensaje. Con él preguntas su estado.',
          ids: 'Todos, si enviaste varios archivos.',
          state: '`queued` al principio.',
          ticketId: 'El ticket en el que está.',
          number: 'El número como lo conoce WhatsApp.',
        },
        notes: {
          once: {
            title: 'Una sola vez',
            text: 'Manda `Idempotency-Key`. La misma clave y el mismo cuerpo durante 24 horas son el mismo mensaje y la misma respuesta.',
          },
        },
      },
      state: {
        nav: 'Estado',
        title: 'Consultar el estado de un mensaje',
        lead: 'Dice hasta dónde llegó. En lugar de consultar una y otra vez, suscríbete al evento `message.state`.',
        fields: { id: 'El que devolvió el envío. Va en la dirección.' },
        reply: {
          state: '`queued` guardado, `sent` enviado, `delivered` recibido, `read` leído, `failed` no se envió.',
          error: 'Por qué no se envió, en una palabra: `no-whatsapp`, `blocked`, `rejected`…',
          stateAt: 'Cuándo se supo.',
          apiKey: 'La clave con que se envió.',
          mediaUrl: 'El archivo, durante una hora.',
        },
      },
      list: {
        nav: 'Listar desde',
        title: 'Listar mensajes desde un momento',
        lead: 'Los mensajes en el orden en que se guardaron, los tuyos y los del cliente. Con `next` de una página pides la siguiente: no se repite ni falta ninguno.',
        fields: {
          since: 'Un momento, o el `next` de la página anterior.',
          limit: 'Cuántos, hasta 200. Si falta, 50.',
          number: 'Solo los de este número.',
          whatsappId: 'Solo los de esta línea.',
        },
        reply: {
          messages: 'Los mensajes, como en Estado.',
          next: 'Guárdalo: es desde donde sigues.',
          hasMore: 'Si ya hay más.',
        },
      },
      check: {
        nav: 'Comprobar número',
        title: 'Comprobar números',
        lead: 'Dice cuáles tienen WhatsApp y cómo los escribe: en algunos países falta o sobra una cifra.',
        fields: { numbers: 'Hasta 100.', whatsappId: 'Por cuál línea preguntar.' },
        reply: {
          asked: 'Como lo mandaste.',
          exists: 'Si tiene WhatsApp.',
          number: 'Como lo escribe WhatsApp; vacío si no tiene.',
        },
      },
      events: {
        nav: 'Eventos',
        title: 'Eventos',
        lead: 'Un webhook es una dirección tuya a la que avisamos con un `POST`. Responde 2xx en quince segundos; si no, lo intentamos de nuevo durante 24 horas, en orden para cada ticket. El mismo evento tiene siempre el mismo `webhook-id`: si llega dos veces, es uno. Con 410 dejamos de avisar.',
        list: {
          'message.created': 'Un mensaje nuevo, del cliente o nuestro.',
          'message.state': 'Un mensaje nuestro se envió, llegó, se leyó o falló.',
          'ticket.opened': 'Se abrió un ticket.',
          'ticket.accepted': 'Alguien lo aceptó.',
          'ticket.transferred': 'Pasó a otra persona o cola.',
          'ticket.resolved': 'Se resolvió.',
          'ticket.late': 'La meta de su cola, responder o resolver, no se cumplió a tiempo.',
          'contact.created': 'Un contacto nuevo.',
          'contact.merged': 'Dos contactos resultaron ser uno.',
          'rating.created': 'El cliente calificó la atención.',
          'line.state': 'Una línea se conectó o se desconectó.',
        },
      },
      verify: {
        nav: 'Verificar la firma',
        title: 'Verificar la firma',
        lead: 'Cada aviso va firmado como en Standard Webhooks: `webhook-id`, `webhook-timestamp` y `webhook-signature`. Compara la firma antes de confiar en el cuerpo, y no aceptes uno de hace más de cinco minutos.',
        notes: {
          how: {
            title: 'Cómo',
            text: '`v1,` y el base64 de HMAC-SHA256 sobre `id.timestamp.body`. La llave es el base64 que sigue a `whsec_` en el secreto. Mientras cambias de secreto vienen dos firmas, separadas por un espacio: basta una.',
          },
        },
      },
      typescript: {
        nav: 'TypeScript',
        title: 'Cliente para TypeScript',
        lead: 'Generado del mismo contrato que valida el servidor, con tipos y sin dependencias, para Node y navegadores. Está en la carpeta `client` de Recado, junto a uno para Python. Reintenta lo que no tuvo respuesta, y sigue siendo un solo mensaje.',
      },
      openapi: {
        nav: 'OpenAPI',
        title: 'OpenAPI',
        lead: 'Este servidor describe todas sus llamadas, con ejemplos y con el permiso que pide cada una. De ahí se genera un cliente en casi cualquier lenguaje.',
      },
    },
    eventExample: `{
  "id": "evt_5f2b9c0e41d94a7fb3c86a10d2e7f419",
  "type": "message.created",
  "timestamp": "2026-11-12T19:19:07.120Z",
  "companyId": 1,
  "data": {
    "id": "4711",
    "state": "delivered",
    "fromMe": false,
    "number": "5490005550452",
    "ticketId": 170,
    "body": "¿Nos guardás el fogón?"
  }
}`,
  },
  pt: {
    contents: 'Conteúdo',
    beside: 'Exemplo e teste',
    code: 'Código de exemplo',
    language: 'Linguagem',
    body: 'Corpo',
    query: 'Parâmetros',
    reply: 'Resposta',
    required: 'obrigatório',
    optional: 'opcional',
    hello: 'Olá, Carolina, sua lancha sai às 9:15',
    putKey: 'A chave inteira foi mostrada uma só vez, ao ser criada: coloque-a onde estão os pontos.',
    openDocs: 'Ver todas as chamadas',
    openJson: 'Baixar OpenAPI',
    groups: { messages: 'Mensagens', contacts: 'Contatos', webhooks: 'Webhooks', clients: 'Clientes' },
    topics: {
      start: {
        nav: 'Começar',
        title: 'Começar',
        lead: 'Com esta API seus programas enviam mensagens pelas suas linhas de WhatsApp. Cada chamada leva `Authorization: Bearer` e uma chave ou o token de uma linha.',
        notes: {
          key: {
            title: 'Uma chave ou um token',
            text: 'O token de uma linha está em Linhas, ao editá-la, e escreve por essa linha. Uma chave você cria em Chaves e webhooks: tem nome, permissões, linhas e vencimento, e pode ser revogada sem mexer na linha.',
          },
          number: {
            title: 'O número',
            text: 'País, área e número: `5490005550452`. Os sinais entre os algarismos não importam. A um grupo que a linha conhece se escreve pelo seu endereço, que termina em `@g.us`.',
          },
          stays: {
            title: 'Onde fica',
            text: 'O que você envia fica no ticket do cliente, com o nome da chave, e é enviado no ritmo da linha.',
          },
        },
      },
      errors: {
        nav: 'Erros e limites',
        title: 'Erros e limites',
        lead: 'Um erro traz o código em `error`; se algum dado está errado, `fields` diz qual. Cada chave tem seu limite: as respostas o indicam em `RateLimit-Limit`, `RateLimit-Remaining` e `RateLimit-Reset`.',
        list: {
          '400': 'Falta um dado ou não é válido. `fields` diz qual.',
          '401': '`ERR_API_KEY`: a chave falta, não existe, venceu ou foi revogada.',
          '402': 'A empresa não está em dia, ou seu plano não inclui a API.',
          '403': '`ERR_API_KEY_SCOPE`: a chave não tem essa permissão ou essa linha.',
          '404': '`ERR_NOT_ON_WHATSAPP`: o número não tem WhatsApp. Outros: isso não existe.',
          '409': 'Agora não dá: a mesma `Idempotency-Key` está em curso, ou a linha não consegue.',
          '413': 'O arquivo ou o corpo é grande demais.',
          '422': '`ERR_IDEMPOTENCY_KEY`: essa `Idempotency-Key` já foi usada com outro corpo.',
          '429': '`ERR_RATE_LIMIT`: chamadas demais. `Retry-After` diz quantos segundos esperar.',
          '5xx': 'Falha nossa. Repita com a mesma `Idempotency-Key`: não se envia duas vezes.',
        },
      },
      send: {
        nav: 'Enviar',
        title: 'Enviar uma mensagem',
        lead: 'Envia a um número a partir de uma das suas linhas. Respondemos 202 quando a mensagem ficou guardada: daí em diante não se perde, mesmo que algo caia.',
        fields: {
          number: 'Com código do país. Se não tem WhatsApp respondemos 404 e dizemos isso.',
          body: 'O texto. Com arquivo vai como legenda e pode faltar. Variáveis como `{{name}}` são preenchidas.',
          medias: 'Um ou mais arquivos, em `multipart/form-data`. Cada um é uma mensagem.',
          whatsappId: 'A linha, se a chave pode usar várias. Sem ele: a única, ou a padrão.',
          queueId: 'Fila do ticket que se abrir para isto.',
          userId: 'Quem atende esse ticket.',
          closeTicket: '`true` o deixa resolvido ao enviar.',
          quotedId: 'Responde a essa mensagem da mesma conversa.',
          location: 'Um lugar: `latitude`, `longitude`, `name`.',
          contactCard: 'O `id` de um contato: o cliente recebe seu cartão.',
          template: 'Em linhas oficiais, fora das 24 horas: `name`, `language`, `variables`.',
        },
        reply: {
          id: 'A mensagem. Com ele você pergunta o estado.',
          ids: 'Todos, se enviou vários arquivos.',
          state: '`queued` no começo.',
          ticketId: 'O ticket em que está.',
          number: 'O número como o WhatsApp o conhece.',
        },
        notes: {
          once: {
            title: 'Uma só vez',
            text: 'Mande `Idempotency-Key`. A mesma chave e o mesmo corpo durante 24 horas são a mesma mensagem e a mesma resposta.',
          },
        },
      },
      state: {
        nav: 'Estado',
        title: 'Consultar o estado de uma mensagem',
        lead: 'Diz até onde chegou. Em vez de consultar sem parar, assine o evento `message.state`.',
        fields: { id: 'O que o envio devolveu. Vai no endereço.' },
        reply: {
          state: '`queued` guardada, `sent` enviada, `delivered` recebida, `read` lida, `failed` não enviada.',
          error: 'Por que não foi enviada, em uma palavra: `no-whatsapp`, `blocked`, `rejected`…',
          stateAt: 'Quando se soube.',
          apiKey: 'A chave com que foi enviada.',
          mediaUrl: 'O arquivo, durante uma hora.',
        },
      },
      list: {
        nav: 'Listar desde',
        title: 'Listar mensagens desde um momento',
        lead: 'As mensagens na ordem em que foram guardadas, as suas e as do cliente. Com o `next` de uma página você pede a seguinte: nenhuma se repete nem falta.',
        fields: {
          since: 'Um momento, ou o `next` da página anterior.',
          limit: 'Quantas, até 200. Se faltar, 50.',
          number: 'Só as deste número.',
          whatsappId: 'Só as desta linha.',
        },
        reply: {
          messages: 'As mensagens, como em Estado.',
          next: 'Guarde: é de onde você continua.',
          hasMore: 'Se já há mais.',
        },
      },
      check: {
        nav: 'Verificar número',
        title: 'Verificar números',
        lead: 'Diz quais têm WhatsApp e como ele os escreve: em alguns países falta ou sobra um algarismo.',
        fields: { numbers: 'Até 100.', whatsappId: 'Por qual linha perguntar.' },
        reply: {
          asked: 'Como você mandou.',
          exists: 'Se tem WhatsApp.',
          number: 'Como o WhatsApp escreve; vazio se não tem.',
        },
      },
      events: {
        nav: 'Eventos',
        title: 'Eventos',
        lead: 'Um webhook é um endereço seu que avisamos com um `POST`. Responda 2xx em quinze segundos; se não, tentamos de novo durante 24 horas, em ordem para cada ticket. O mesmo evento tem sempre o mesmo `webhook-id`: se chega duas vezes, é um só. Com 410 deixamos de avisar.',
        list: {
          'message.created': 'Uma mensagem nova, do cliente ou nossa.',
          'message.state': 'Uma mensagem nossa foi enviada, chegou, foi lida ou falhou.',
          'ticket.opened': 'Um ticket foi aberto.',
          'ticket.accepted': 'Alguém o aceitou.',
          'ticket.transferred': 'Passou a outra pessoa ou fila.',
          'ticket.resolved': 'Foi resolvido.',
          'ticket.late': 'A meta da fila, responder ou resolver, não foi cumprida a tempo.',
          'contact.created': 'Um contato novo.',
          'contact.merged': 'Dois contatos eram um só.',
          'rating.created': 'O cliente avaliou o atendimento.',
          'line.state': 'Uma linha se conectou ou se desconectou.',
        },
      },
      verify: {
        nav: 'Verificar a assinatura',
        title: 'Verificar a assinatura',
        lead: 'Cada aviso vai assinado como em Standard Webhooks: `webhook-id`, `webhook-timestamp` e `webhook-signature`. Compare a assinatura antes de confiar no corpo, e não aceite um de mais de cinco minutos atrás.',
        notes: {
          how: {
            title: 'Como',
            text: '`v1,` e o base64 de HMAC-SHA256 sobre `id.timestamp.body`. A chave é o base64 que segue `whsec_` no segredo. Enquanto você troca de segredo vêm duas assinaturas, separadas por um espaço: basta uma.',
          },
        },
      },
      typescript: {
        nav: 'TypeScript',
        title: 'Cliente para TypeScript',
        lead: 'Gerado do mesmo contrato que o servidor valida, com tipos e sem dependências, para Node e navegadores. Está na pasta `client` do Recado, junto a um para Python. Tenta de novo o que ficou sem resposta, e continua sendo uma só mensagem.',
      },
      openapi: {
        nav: 'OpenAPI',
        title: 'OpenAPI',
        lead: 'Este servidor descreve todas as suas chamadas, com exemplos e com a permissão que cada uma pede. A partir daí dá para gerar um cliente em quase qualquer linguagem.',
      },
    },
    eventExample: `{
  "id": "evt_5f2b9c0e41d94a7fb3c86a10d2e7f419",
  "type": "message.created",
  "timestamp": "2026-11-12T19:19:07.120Z",
  "companyId": 1,
  "data": {
    "id": "4711",
    "state": "delivered",
    "fromMe": false,
    "number": "5490005550452",
    "ticketId": 170,
    "body": "Guardam a fogueira para nós?"
  }
}`,
  },
  en: {
    contents: 'Contents',
    beside: 'Example and test',
    code: 'Example code',
    language: 'Language',
    body: 'Body',
    query: 'Parameters',
    reply: 'Reply',
    required: 'required',
    optional: 'optional',
    hello: 'Hi Carolina, your boat leaves at 9:15',
    putKey: 'The full key was shown only once, when it was created: paste it where the dots are.',
    openDocs: 'View all calls',
    openJson: 'Download OpenAPI',
    groups: { messages: 'Messages', contacts: 'Contacts', webhooks: 'Webhooks', clients: 'Clients' },
    topics: {
      start: {
        nav: 'Get started',
        title: 'Get started',
        lead: "This API lets your programs send messages through your WhatsApp lines. Every call carries `Authorization: Bearer` with a key or a line's token.",
        notes: {
          key: {
            title: 'A key or a token',
            text: "A line's token is under Lines, when you edit the line, and sends through that line. Create a key under Keys and webhooks: it has a name, permissions, lines and an expiry date, and you can revoke it without touching the line.",
          },
          number: {
            title: 'The number',
            text: "Country, area and number: `5490005550452`. Punctuation between digits doesn't matter. To write to a group the line belongs to, use its address, which ends in `@g.us`.",
          },
          stays: {
            title: 'Where it stays',
            text: "What you send appears in the customer's ticket with the key's name, and goes out at the line's pace.",
          },
        },
      },
      errors: {
        nav: 'Errors and limits',
        title: 'Errors and limits',
        lead: 'Errors carry a code in `error`; if an input is wrong, `fields` says which one. Each key has a rate limit, reported in `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.',
        list: {
          '400': 'Something is missing or invalid. `fields` says what.',
          '401': '`ERR_API_KEY`: the key is missing, unknown, expired or revoked.',
          '402': "The company's subscription is unpaid, or its plan doesn't include the API.",
          '403': "`ERR_API_KEY_SCOPE`: the key doesn't have that permission or that line.",
          '404': "`ERR_NOT_ON_WHATSAPP`: the number isn't on WhatsApp. Others: it doesn't exist.",
          '409': "Not possible right now: the same `Idempotency-Key` is in progress, or the line can't do it.",
          '413': 'The file or the body is too large.',
          '422': '`ERR_IDEMPOTENCY_KEY`: that `Idempotency-Key` was already used with a different body.',
          '429': '`ERR_RATE_LIMIT`: too many calls. `Retry-After` says how many seconds to wait.',
          '5xx': "Our fault. Retry with the same `Idempotency-Key`: it won't be sent twice.",
        },
      },
      send: {
        nav: 'Send',
        title: 'Send a message',
        lead: "Sends to a number from one of your lines. We reply 202 once the message is stored: from then on it won't be lost, even if something crashes.",
        fields: {
          number: "With the country code. If it's not on WhatsApp, we reply 404 and say so.",
          body: "The text. With a file it's the caption, and it's optional. Variables such as `{{name}}` are filled in.",
          medias: 'One or more files, in `multipart/form-data`. Each is a message.',
          whatsappId: 'The line, if the key can use several. Without it: the only one, or the default.',
          queueId: 'Queue for the ticket, if one is opened.',
          userId: 'Who handles that ticket.',
          closeTicket: '`true` resolves it once the message is sent.',
          quotedId: 'Replies to that message in the same conversation.',
          location: 'A place: `latitude`, `longitude`, `name`.',
          contactCard: 'The `id` of a contact: the customer gets their card.',
          template: 'On official lines, outside the 24 hours: `name`, `language`, `variables`.',
        },
        reply: {
          id: 'The message. Use it to check the status.',
          ids: 'All of them, if you sent several files.',
          state: '`queued` at first.',
          ticketId: 'The ticket it is in.',
          number: 'The number as WhatsApp knows it.',
        },
        notes: {
          once: {
            title: 'Only once',
            text: 'Send `Idempotency-Key`. The same key and the same body within 24 hours are the same message and the same reply.',
          },
        },
      },
      state: {
        nav: 'Status',
        title: "Check a message's status",
        lead: 'Tells you how far it got. Instead of polling, subscribe to the `message.state` event.',
        fields: { id: 'The one returned when you sent it. It goes in the URL.' },
        reply: {
          state: "`queued` stored, `sent`, `delivered`, `read`, or `failed`: it wasn't sent.",
          error: "Why it wasn't sent, in one word: `no-whatsapp`, `blocked`, `rejected`…",
          stateAt: 'When this was last updated.',
          apiKey: 'The key it was sent with.',
          mediaUrl: 'The file, for an hour.',
        },
      },
      list: {
        nav: 'List since',
        title: 'List messages since a point in time',
        lead: "Messages in the order they were stored, yours and the customer's. Use one page's `next` to get the following one: nothing is repeated or missing.",
        fields: {
          since: "A point in time, or the previous page's `next`.",
          limit: 'How many, up to 200. Defaults to 50.',
          number: "Only this number's.",
          whatsappId: "Only this line's.",
        },
        reply: {
          messages: 'The messages, as in Status.',
          next: "Keep it: that's where you continue.",
          hasMore: "Whether there's already more.",
        },
      },
      check: {
        nav: 'Check a number',
        title: 'Check numbers',
        lead: 'Tells you which numbers are on WhatsApp and how WhatsApp writes them: in some countries a digit is added or dropped.',
        fields: { numbers: 'Up to 100.', whatsappId: 'Which line to ask through.' },
        reply: {
          asked: 'As you sent it.',
          exists: 'Whether it is on WhatsApp.',
          number: "As WhatsApp writes it; empty if it isn't there.",
        },
      },
      events: {
        nav: 'Events',
        title: 'Events',
        lead: "A webhook is an address of yours that we notify with a `POST`. Reply 2xx within fifteen seconds; otherwise we retry for 24 hours, in order for each ticket. An event always has the same `webhook-id`: if it arrives twice, it's the same one. Reply 410 and we stop notifying you.",
        list: {
          'message.created': 'A new message, from the customer or from us.',
          'message.state': 'One of our messages was sent, delivered, read or failed.',
          'ticket.opened': 'A ticket was opened.',
          'ticket.accepted': 'Someone accepted it.',
          'ticket.transferred': 'It was moved to another person or queue.',
          'ticket.resolved': 'It was resolved.',
          'ticket.late': "Its queue's goal to reply or resolve was missed.",
          'contact.created': 'A new contact.',
          'contact.merged': 'Two contacts turned out to be one.',
          'rating.created': 'The customer rated the service.',
          'line.state': 'A line connected or disconnected.',
        },
      },
      verify: {
        nav: 'Verify the signature',
        title: 'Verify the signature',
        lead: 'Every delivery is signed following Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. Check the signature before trusting the body, and reject anything older than five minutes.',
        notes: {
          how: {
            title: 'How',
            text: '`v1,` followed by the base64 of the HMAC-SHA256 of `id.timestamp.body`. The key is the base64 after `whsec_` in the secret. While you rotate the secret there are two signatures separated by a space: one match is enough.',
          },
        },
      },
      typescript: {
        nav: 'TypeScript',
        title: 'TypeScript client',
        lead: "Generated from the same contract the server validates against: typed, no dependencies, for Node and browsers. It's in Recado's `client` folder, next to one for Python. It retries calls that got no response, and the message is still sent only once.",
      },
      openapi: {
        nav: 'OpenAPI',
        title: 'OpenAPI',
        lead: 'This server describes all its calls, with examples and the permission each one needs. You can generate a client from it in almost any language.',
      },
    },
    eventExample: `{
  "id": "evt_5f2b9c0e41d94a7fb3c86a10d2e7f419",
  "type": "message.created",
  "timestamp": "2026-11-12T19:19:07.120Z",
  "companyId": 1,
  "data": {
    "id": "4711",
    "state": "delivered",
    "fromMe": false,
    "number": "5490005550452",
    "ticketId": 170,
    "body": "Could you keep the fireplace for us?"
  }
}`,
  },
})
