import type { Vocabulary } from './vocabulary.ts'

export const spanishVocabulary: Vocabulary = {
  names: [
    'Camila Ordóñez Paz',
    'Joaquín Betancur',
    'Valentina Sarmiento',
    'Nicolás Echagüe',
    'Florencia Ibáñez Roca',
    'Emiliano Cardozo',
    'Julieta Barrientos',
    'Gonzalo Peñalba',
    'Agustina Lezcano',
    'Ramiro Villafañe',
    'Micaela Otero',
    'Santiago Quiroga Luz',
    'Rocío Almendros',
    'Facundo Mansilla',
    'Delfina Arzuaga',
    'Ignacio Belmonte',
    'Abril Carranza',
    'Maximiliano Duarte',
    'Elena Tapia Moure',
    'Hernán Obregón',
    'Paloma Iriarte',
    'Leandro Salvatierra',
    'Catalina Urrutia',
    'Esteban Marchena',
    'Noelia Cifuentes',
    'Patricio Landa',
  ],
  cities: ['Montevideo', 'Rosario', 'Córdoba', 'Santiago', 'Asunción', 'Salto', 'Mendoza'],
  fields: ['Ciudad', 'Viaja con', 'Cumpleaños', 'Documento'],
  company: ['en pareja', 'dos hijos', 'un perro', 'amigos', 'su madre'],
  lodges: ['la cabaña del Arroyo', 'la cabaña del Coihue', 'la habitación con vista al lago', 'la casa grande'],
  trips: [
    'la caminata al Mirador del Halcón',
    'la vuelta al lago en kayak',
    'el sendero de las Cascadas',
    'la salida de aves al amanecer',
    'la cabalgata a la Laguna Quieta',
  ],
  days: ['el viernes', 'el sábado', 'el domingo', 'el lunes', 'el jueves', 'el feriado largo'],
  rating: '¿Cómo te atendimos?\n\n*1* Insatisfecho\n*2* Satisfecho\n*3* Muy satisfecho',
  thanks: 'Gracias por escribirnos. Que tengas un lindo día.',
  menu: 'Hola, somos Valle Bruma. Elige una opción y te atiende una persona.\n\nEscribe el número de tu opción:\n*1* Reservas\n*2* Excursiones\n*3* Pagos\n*4* Atención al viajero',
  scripts: `
# reservas, Familia, Presupuesto enviado
< Hola, ¿tienen lugar en {lodge} para {n} personas? Sería {day}, dos noches
> Hola {first}, soy {agent}. Sí, {day} está libre.
> Son USD {price} las dos noches, con desayuno.
< Genial. ¿Se puede llevar un perrito? Es chico y muy tranquilo
> Claro, en las cabañas no cobramos por las mascotas. [❤️]
< Perfecto, entonces la tomamos
> Te la reservo a tu nombre. Para confirmar pedimos el 30 % antes de mañana a la noche.
>paper Presupuesto {code}.pdf | Te dejo el presupuesto con los datos para transferir.
< Ahí lo veo, esta tarde transfiero
! Viajan con un perro chico. Dejar la manta y el plato en la cabaña.
~ 5h
<image receipt | Listo, acá va el comprobante
> Recibido. Tu código es {code}. Los esperamos {day} desde las 15.
< Mil gracias, nos vemos!

# reservas
< Buenas, tengo la reserva {code} y necesito correrla una semana
> Hola {first}, la veo. ¿Sería del mismo día de la semana?
< Sí, igual pero una semana después
> Tengo {lodge} libre esa semana, al mismo precio. ¿La cambio?
< Dale, por favor
> Hecho. Queda con el mismo código, {code}.
< Sos un genio, gracias

# reservas, Grupo, Espera seña
< Hola! Somos un grupo de {n} y queremos ir {day}. ¿Nos pueden alojar a todos juntos?
> Hola {first}. Para {n} les conviene la casa grande, que tiene cocina y fogón.
>image cabin | Es esta
< Qué linda!! ¿Cuánto sale?
> USD {price} por noche, todos juntos. Con tres noches hacemos 10 % menos.
< Lo hablo con los chicos y te aviso [re 2]
! Grupo de compañeros de trabajo. Preguntan también por el asado del sábado.
~ 1d
< Hola de nuevo, quedamos en tres noches
> Buenísimo. Les bloqueo la casa hasta mañana, con la seña queda firme.

# reservas
< ¿A qué hora se puede entrar? Llegamos temprano, tipo 10
> Hola {first}. La habitación está desde las 15, pero pueden dejar el equipaje y usar el jardín desde las 8.
< Y si está lista antes?
> Te aviso por acá apenas esté.
< Perfecto 👌

# excursiones
< Hola, ¿{trip} es muy difícil? Vamos con un nene de 8
> Hola {first}. Es media: tres horas, con una subida al final. Con 8 años van bien si camina seguido.
< Camina, pero protesta 😅
> Entonces les propongo el sendero de las Cascadas: es más corto y hay donde meter los pies.
>image lake | El segundo descanso es acá
< Nos convenciste. Anotanos a los {n} para {day}
> Anotados. Salimos 8:30 desde recepción. Lleven abrigo aunque haya sol.
< Gracias!! [❤️]

# excursiones
< Buen día, ¿sale igual {trip} con este pronóstico?
> Buen día {first}. Por ahora sí: el viento baja a media mañana. Confirmo a las 7.
~ 21h
> Confirmado, salimos. Trae impermeable por las dudas.
<audio 6
> Sí, los guantes los prestamos nosotros.
< Buenísimo, ahí estamos

# excursiones, Vuelve cada año
< Hola!! Volvemos este año. ¿Sigue existiendo {trip}?
> Hola {first}, qué alegría. Sigue, y ahora sale también {day}.
< Contanos {n}, como siempre
> Los anoto. ¿Alguien necesita bastones?
< Dos pares, por favor
> Van a estar en recepción a tu nombre.
~ 2d
<image valley | Mirá lo que fue ayer 😍
> Qué foto. ¿La podemos compartir?
< Obvio, es de ustedes

# excursiones
<place Terminal de ómnibus
< Estoy acá, ¿me pasan a buscar para {trip}?
> Hola {first}, ya sale la camioneta. Es blanca, con el dibujo de una montaña.
< La veo, gracias

# pagos, Factura
< Hola, necesito factura de la reserva {code}
> Hola {first}, ¿a nombre de quién?
< A nombre mío, el documento ya lo tienen
> Perfecto, la emito ahora.
>paper Factura {code}.pdf
< Recibida, gracias

# pagos, Urgente
< El link de pago me da error
<image receipt | Sale esto
> Hola {first}, gracias por la captura. El banco lo rechaza por el límite diario.
< Ah, puede ser. ¿Se puede en dos pagos?
> Sí. Te mando dos links de USD {half}.
< Ahora sí, pasó el primero
> Y ya vi el segundo. Está todo pago.

# pagos
< Buenas, cancelé {day} y todavía no veo el reintegro
> Hola {first}, lo reviso con administración y vuelvo.
! El reintegro salió ayer, la tarjeta tarda hasta 72 h.
~ 3h
> Salió ayer. Según la tarjeta puede tardar 72 horas en verse.
< Ok, espero entonces
~ 2d
< Ya está, muchas gracias por el seguimiento

# viajeros
< Hola, creo que me olvidé un buzo verde en {lodge}
> Hola {first}, pregunto a limpieza.
~ 2h
>image cloth | ¿Es este?
< Siiii, ese 🙈
> Te lo guardamos, o te lo mandamos por encomienda. Como prefieras.
< Paso a buscarlo {day}, gracias

# viajeros
<call
< Los llamé pero por acá debe ser mejor. Se nos hizo tarde, llegamos a las 23
> Hola {first}, sin problema. Dejo la llave en la caja, el código es el de tu reserva.
>place Entrada de Valle Bruma
< Qué tranquilidad, gracias 🙏
> Buen viaje, y despacio en la curva del puente.

# viajeros
< La salamandra no tira bien, se llena de humo
> Hola {first}, abrí la llave de arriba, la de la derecha. Si en cinco minutos sigue, va Ramón.
< Era eso!! perdón 😅
> No hay por qué. Que lo disfruten.
`,
}
