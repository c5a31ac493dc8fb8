import { Link } from '@tanstack/react-router'
import { useSession } from '../lib/session.tsx'
import { defineTexts, useTexts } from '../lib/texts.ts'
import { Bubbles } from '../ui/bubbles.tsx'
import type { MenuName } from './menu-texts.ts'
import { menuTexts } from './menu-texts.ts'
import { useMenu } from './shell/use-menu.ts'
import classes from './welcome-page.module.css'

type About = Partial<Record<MenuName, string>>
const texts = defineTexts({
  es: {
    hello: (name: string) => `Hola, ${name}`,
    line: 'Deja lista la casa: lo que prepares aquí lo usa todo tu equipo.',
    about: {
      quickMessages: 'Lo que más respondes, a una barra de distancia',
      todoList: 'Tus pendientes, solo en este navegador',
      tags: 'Colores para ordenar las conversaciones',
      helps: 'Videos cortos para aprender Recado',
      announcements: 'Novedades para todas las empresas',
      connections: 'Los teléfonos por los que te escriben',
      phone: 'Escribe como un cliente y mira qué pasa',
      files: 'Documentos listos para enviar',
      users: 'Quién trabaja contigo y qué puede hacer',
      settings: 'Cómo atiende tu empresa',
    } as About,
  },
  pt: {
    hello: (name: string) => `Olá, ${name}`,
    line: 'Deixe a casa pronta: o que você preparar aqui, toda a sua equipe usa.',
    about: {
      quickMessages: 'O que você mais responde, a uma barra de distância',
      todoList: 'Suas pendências, só neste navegador',
      tags: 'Cores para organizar as conversas',
      helps: 'Vídeos curtos para aprender o Recado',
      announcements: 'Novidades para todas as empresas',
      connections: 'Os telefones por onde escrevem para você',
      phone: 'Escreva como um cliente e veja o que acontece',
      files: 'Documentos prontos para enviar',
      users: 'Quem trabalha com você e o que pode fazer',
      settings: 'Como sua empresa atende',
    },
  },
  en: {
    hello: (name: string) => `Hello, ${name}`,
    line: 'Get the house ready: what you prepare here, your whole team uses.',
    about: {
      quickMessages: 'What you answer most, one slash away',
      todoList: 'Your own list, only in this browser',
      tags: 'Colours to sort conversations by',
      helps: 'Short videos to learn Recado',
      announcements: 'News for every company',
      connections: 'The phones your customers write to',
      phone: 'Write as a customer and see what happens',
      files: 'Documents ready to be sent',
      users: 'Who works with you and what they may do',
      settings: 'How your company serves',
    },
  },
})

/** Stands where the tickets will: a greeting and the ways on. */
export function WelcomePage() {
  const words = useTexts(texts)
  const names = useTexts(menuTexts)
  const { user } = useSession()
  const entries = useMenu().flatMap((group) => group.entries)
  return (
    <div className={classes.root}>
      <div className={classes.middle}>
        <Bubbles size={80} />
        <h1 className={classes.title}>{words.hello(user?.name.split(' ')[0] ?? '')}</h1>
        <p className={classes.line}>{words.line}</p>
        <div className={classes.cards}>
          {entries.map((entry) => (
            <Link key={entry.path} to={entry.path} className={classes.card ?? ''}>
              <entry.icon size={20} stroke={1.75} aria-hidden="true" />
              <span>
                <b>{names[entry.name]}</b>
                <small>{words.about[entry.name]}</small>
              </span>
            </Link>
          ))}
        </div>
      </div>
    </div>
  )
}
