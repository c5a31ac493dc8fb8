import type { Guides } from './guide-ids.ts'

export const guides: Guides = {
  'first-line': {
    title: 'Conectar tu primera línea',
    about: 'De tu WhatsApp a la lista de tickets en cinco minutos.',
    steps: [
      'Abre Líneas y elige Nueva línea. Ponle un nombre que tu equipo reconozca, por ejemplo Ventas.',
      'Elige el tipo. Teléfono con QR usa un WhatsApp que ya tienes; API oficial es la vía de Meta y no depende de un teléfono.',
      'Guarda. En el teléfono abre WhatsApp, Dispositivos vinculados, Vincular un dispositivo, y escanea el código.',
      'Cuando la línea diga Conectada, pide a alguien que te escriba: el mensaje aparece en Tickets, En espera.',
    ],
    tip: 'Para practicar sin arriesgar tu número, crea una línea con el Teléfono de prueba: nada sale de tu servidor.',
    go: 'Ir a Líneas',
  },
  'queue-menu': {
    title: 'Una cola y su menú',
    about: 'Cada cliente llega a las personas que pueden ayudarlo.',
    steps: [
      'Abre Colas y elige Nueva cola. Una cola es un equipo: Ventas, Soporte, Administración.',
      'Marca las líneas y las personas de la cola. Solo esas personas ven sus tickets en espera.',
      'En la pestaña Menú agrega opciones con un título corto. Cada una muestra más opciones, pasa a una persona, pasa a otra cola o responde y termina.',
      'A la derecha ves lo que verá tu cliente. Escribe ahí para probarlo antes de guardar.',
    ],
    tip: 'Tres o cuatro opciones bastan. Deja siempre una que lleve a una persona.',
    go: 'Ir a Colas',
  },
  invite: {
    title: 'Invitar a tu equipo',
    about: 'Una cuenta por persona, con sus colas desde el primer día.',
    steps: [
      'Abre Usuarios y elige Nuevo usuario. Escribe su nombre y su correo.',
      'Deja la contraseña vacía: recibe una invitación y elige la suya. Si el servidor no envía correos, copia el enlace y envíaselo.',
      'Elige el perfil. Un agente atiende, un supervisor ve además a su equipo, un administrador configura todo.',
      'Marca sus colas. Sin ninguna cola no verá los tickets que esperan.',
    ],
    tip: 'Una invitación vale siete días. Puedes reenviarla desde la lista de usuarios.',
    go: 'Ir a Usuarios',
  },
  'quick-replies': {
    title: 'Respuestas rápidas',
    about: 'Lo que escribes todos los días, con dos teclas.',
    steps: [
      'Abre Respuestas rápidas y crea una con un atajo corto: envio, horario, pago.',
      'Escribe el mensaje. Con {{firstName}} se completa el nombre del cliente y con {{ms}} el saludo de la hora.',
      'Si hace falta, agrega un archivo: una lista de precios, un mapa, una foto.',
      'En un ticket escribe / y las primeras letras del atajo, y presiona Enter. Puedes cambiar el texto antes de enviarlo.',
    ],
    tip: 'Las que marques para toda la empresa las usa todo el equipo; las demás son solo tuyas.',
    go: 'Ir a Respuestas rápidas',
  },
  hours: {
    title: 'Horario de atención',
    about: 'Qué pasa cuando un cliente escribe y no hay nadie.',
    steps: [
      'En Ajustes, Opciones, elige quién decide el horario: la empresa o cada cola.',
      'En la pestaña Horario marca los días y las horas. Un día puede tener varios tramos.',
      'En Feriados agrega los días sin atención. Los que se repiten, una sola vez con Cada año.',
      'Escribe el mensaje de fuera de horario en la línea o en la cola. El cliente lo recibe una vez y su ticket queda en espera.',
    ],
    tip: 'Las metas de respuesta cuentan solo minutos del horario: la noche no te atrasa.',
    go: 'Ir a Ajustes',
  },
  campaigns: {
    title: 'Campañas sin que te bloqueen',
    about: 'WhatsApp bloquea a quien escribe de golpe a desconocidos. Así se evita.',
    steps: [
      'Escribe solo a quien te dio su número y espera noticias tuyas. Arma la lista con una planilla o por condiciones.',
      'Deja el ritmo en Cuidar el número. Una línea nueva envía poco al principio y más cada día.',
      'Escribe dos o tres textos distintos, con {nombre}, y di quién eres. Agrega cómo darse de baja: quien responde BAJA no recibe más.',
      'Mira el plan antes de empezar: a cuántas personas llega, a quiénes no y por qué, y cuándo. Envíate una prueba.',
      'Si muchos fallan o se dan de baja, para la campaña y revisa la lista.',
    ],
    tip: 'Para volumen de verdad usa la API oficial con plantillas aprobadas: cuesta por mensaje, pero no arriesga tu número.',
    go: 'Ir a Campañas',
  },
  reports: {
    title: 'Leer los informes',
    about: 'Cuánto esperan tus clientes y dónde falta gente.',
    steps: [
      'El Panel muestra el período que elijas. Con Comparar ves cada número junto al anterior.',
      'Haz clic en un número para ver los tickets que hay detrás. El signo ? junto a cada uno explica cómo se cuenta.',
      'Gente necesaria y gente en línea te dice a qué hora faltaron manos. Cuándo escriben, qué días reforzar.',
      'Guarda cualquier tarjeta como CSV o PNG, o la página como PDF. Copia el enlace para compartir la misma vista.',
    ],
    tip: 'En tu perfil activa el resumen semanal: llega los lunes con los números de la semana anterior.',
    go: 'Ir al Panel',
  },
  moving: {
    title: 'Venir desde otro sistema',
    about: 'Trae contactos, o todo el historial desde ticketz o Whaticket.',
    steps: [
      'Solo contactos: en Contactos elige Importar, Desde una planilla. Revisa qué columna es cada cosa; lo que no sirve se muestra antes de importar.',
      'Todo el historial: quien opera el servidor hace una copia de la base anterior y ejecuta npm run import con --dry-run para ver qué vendría.',
      'Sin --dry-run entran empresas, usuarios con su contraseña, colas, menús, contactos, tickets, mensajes y archivos. No se envía nada a nadie.',
      'Conecta las líneas en Recado y desvincúlalas del sistema anterior: dos programas no pueden usar el mismo número.',
    ],
    tip: 'El día del cambio repite la importación con --later: trae solo lo nuevo de los últimos días.',
    go: 'Ir a Contactos',
  },
}
