import type { Vocabulary } from './vocabulary.ts'

export const englishVocabulary: Vocabulary = {
  names: [
    'Imogen Ashdown',
    'Theo Marchetti-Lane',
    'Priya Ravensworth',
    'Callum Fairweather',
    'Noor Haldane',
    'Jasper Okonedo-Pike',
    'Wren Castellane',
    'Otis Bramley',
    'Saskia Thornbury',
    'Dashiell Moon',
    'Freya Lindqvist-Hale',
    'Marlon Pettigrew',
    'Tabitha Greaves',
    'Ruben Stackpole',
    'Odette Farrow',
    'Ezra Whitlock',
  ],
  cities: ['Bristol', 'Portland', 'Leeds', 'Austin', 'Perth', 'Galway'],
  fields: ['City', 'Travels with', 'Birthday', 'Passport'],
  company: ['partner', 'two kids', 'a dog', 'friends', 'a sister'],
  lodges: ['the Creek cabin', 'the Beech cabin', 'the lake-view room', 'the big house'],
  trips: [
    'the hike to Falcon Lookout',
    'the kayak trip round the lake',
    'the Waterfalls trail',
    'the dawn bird walk',
    'the ride to Still Lagoon',
  ],
  days: ['on Friday', 'on Saturday', 'on Sunday', 'on Monday', 'on Thursday', 'next weekend'],
  rating: 'How did we do?\n\n*1* Not satisfied\n*2* Satisfied\n*3* Very satisfied',
  thanks: 'Thank you for writing to us. Have a lovely day.',
  menu: 'Hola, somos Valle Bruma. Elige una opción y te atiende una persona.\n\nEscribe el número de tu opción:\n*1* Reservas\n*2* Excursiones\n*3* Pagos\n*4* Atención al viajero',
  scripts: `
# reservas, Familia, Confirmado
< Hi there! Do you have anything for {n} {day}? Two nights
> Hi {first}, this is {agent}. Yes, {lodge} is free.
> It is USD {price} for both nights, breakfast included.
< Lovely. Is there a cot for a toddler?
> There is, and a high chair too. No extra charge.
< Then we'd like to book please
>paper Quote {code}.pdf | Here is the quote, with the card link in it.
! Toddler: cot and high chair in the room. They arrive by bus.
~ 3h
< Paid!
> Got it, {first}. Your code is {code}. See you {day}. [🙌]

# reservas
< Hello, can I push booking {code} back a day? Our flight changed
> Hi {first}, of course. Moved, same price, same code.
< That was quick, thank you

# reservas
< Quick one: what time is check-in?
> Hi {first}. From 3 pm, but you can drop your bags from 8.
< Great, we land early
> There is coffee at reception while you wait.

# excursiones
< Hi, is {trip} OK for beginners?
> Hi {first}. Yes, it is gentle, and the guide sets the pace by the slowest.
< That'll be me 😂 {n} of us then, {day}
> Booked. We leave at 8:30 from reception. Closed shoes, please.
~ 2d
<image valley | Best day of the trip. Thank you!!
> What a picture. So glad you enjoyed it. [❤️]

# excursiones
< What's the weather looking like for {trip}?
> Hi {first}. Clear until two, then clouds. We go out early so you should stay dry.
< Should we bring rain jackets anyway?
> I would. If you don't have one, we lend them.
< Amazing service, cheers

# excursiones
<place Bus station, north door
< We're here for {trip}, where do we wait?
> Hi {first}, right there is perfect. White van, two minutes.
< 👍

# excursiones
<audio 9
> Hi {first}, I listened. Yes, we can do vegetarian lunches, and no nuts.
! Nut allergy in the group. Told the kitchen.
< You're a star
< One of us also doesn't eat cheese, sorry 🙈
> No problem at all. Cheese stays home.

# pagos, Factura
< Could I get an invoice for {code}? It's for work
> Hi {first}, sure. Which company name should it carry?
< Just my own name is fine
>paper Invoice {code}.pdf
< Perfect, thanks

# pagos
< My card was charged twice I think
<image receipt
> Hi {first}, thanks for the screenshot. One of them is a hold and drops off in a day or two.
< OK, will keep an eye on it
~ 2d
< All good, it's gone

# viajeros
< Hi, I think I left my green jumper in {lodge}
> Hi {first}, let me ask housekeeping.
~ 1h
>image cloth | Is it this one?
< YES. My gran knitted it
> Then it deserves a good envelope. Where shall we send it?
< We're still in town, I'll drop by {day}. Thank you so much

# viajeros, Urgente
<call
< Sorry, tried calling. We're locked out, the key won't turn
> Hi {first}, pull the door towards you first, then turn. If that fails I am two minutes away.
< It worked, phew
> Good. Sleep well.
`,
}
