import type { Language } from '@recado/contract/users'

/** Today's conversations: together they contain every kind of message. */
export const todayScripts: { language: Language; name: string; members?: string[]; script: string }[] = [
  {
    language: 'es',
    name: 'Carolina Peñaflor',
    script: `
# excursiones, Familia, Vuelve cada año, Presupuesto enviado
< Hola Lucía! Volvemos en vacaciones, esta vez con los abuelos 😊
> Hola Carolina, qué alegría. ¿Cuántos serían?
< Seis. Los chicos quieren repetir la vuelta al lago en kayak
<image lake | Todavía tienen esta foto en la heladera
> Qué linda está. Para los abuelos hay una lancha que sale a la misma hora, y se juntan todos en la playa. [re 1]
<audio 7
> Sí, los chalecos son de todas las medidas.
>paper Presupuesto seis personas.pdf | Acá va el presupuesto, con la lancha incluida.
< Perfecto. ¿Y el punto de encuentro?
>place Muelle de Valle Bruma
! Los abuelos necesitan lancha y no caminan mucho. Guardar lugar a la sombra.
<sticker smile
< Le paso tu número a mi cuñada, que va en otro auto
<card Verónica Duval | 5490005550188
> Perfecto, la espero. Salimos 9:15 del muelle. [edited]
<video lake | Y esto es de la última vez 😂
< ¿Nos guardás el fogón para la noche? [❤️]
`,
  },
  {
    language: 'pt',
    name: 'Aline Rezende',
    script: `
# reservas, Familia, Espera seña
< Oi, boa tarde! Vi que vocês têm um chalé com lareira
> Oi Aline, boa tarde. Temos dois, o do Riacho e o da Araucária.
>image cabin | Este é o da Araucária
< Que charme! Está livre no próximo fim de semana?
> Está. São USD 180 as duas noites, com café da manhã.
< Vou falar com o meu marido e já te confirmo
~ 40m
< Confirmado! Como faço o sinal?
> Te mando o link agora. É 30 %. [❤️]
< Recebi, obrigada
`,
  },
  {
    language: 'en',
    name: 'Rosalind Achterberg',
    script: `
# viajeros, Urgente
< Hi Lucía, our bus is running late, we won't make the 3 pm pick-up
> Hi Rosalind, thanks for telling me. When do you get in?
< About 5.20 they say
<place Kilometre 84, roadside café
> Got you. Ramón will wait for you at the station, white van.
< You are a lifesaver
> There will be soup when you arrive. [❤️]
`,
  },
  {
    language: 'es',
    name: 'Caminantes de otoño',
    members: ['Gabriel Nardone', 'Sol Etchart', 'Mirta Avellaneda'],
    script: `
# excursiones, Grupo
< @0 Buenas! Somos los ocho de la caminata del sábado
> Hola a todos. Anotados los ocho para el Mirador del Halcón.
< @1 Yo llevo el mate
< @2 ¿Hay baño en el camino?
> Hay en el refugio, a mitad de camino. [re 1]
<image @0 valley | El pronóstico pinta así
< @1 Soñado [❤️]
`,
  },
]
