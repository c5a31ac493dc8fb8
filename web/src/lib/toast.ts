import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { createElement, type ReactNode } from 'react'
import { errorText } from './errors.ts'
import { defineTexts, textsNow } from './texts.ts'
import classes from './toast.module.css'

const words = defineTexts({ es: { close: 'Cerrar' }, pt: { close: 'Fechar' }, en: { close: 'Close' } })

type Kind = 'ok' | 'info' | 'danger' | 'warn'
type More = { id?: string; icon?: ReactNode; action?: ReactNode; stays?: boolean; lasts?: number }

const icons = { ok: IconCircleCheck, info: IconInfoCircle, danger: IconAlertCircle, warn: IconAlertCircle }

/** Design 8: three seconds, six for what went wrong; under the pointer they stay. */
export const toast = {
  ok: (title: string, line?: string, more?: More) => show('ok', title, line, more),
  info: (title: string, line?: string, more?: More) => show('info', title, line, more),
  warn: (title: string, line?: string, more?: More) => show('warn', title, line, more),
  /** Takes whatever was thrown; cancelled calls say nothing. */
  error: (error: unknown, title?: string) => {
    if (error instanceof DOMException && error.name === 'AbortError') return
    const text = errorText(error)
    // The same fault told by ten parallel calls is one fault.
    show('danger', title ?? text, title ? text : undefined, { id: `error-${text}` })
  },
  hide: (id: string): void => {
    notifications.hide(id)
  },
}

function show(kind: Kind, title: string, line?: string, more: More = {}): void {
  if (more.id) notifications.hide(more.id)
  notifications.show({
    ...(more.id && { id: more.id }),
    title,
    message: line || more.action ? body(line, more.action) : null,
    icon: more.icon ?? createElement(icons[kind], { size: 20, stroke: 1.75 }),
    autoClose: more.stays ? false : (more.lasts ?? (kind === 'danger' ? 6000 : 3000)),
    classNames: {
      root: classes.root,
      icon: classes.icon,
      body: classes.body,
      title: classes.title,
      description: classes.description,
      closeButton: classes.closeButton,
    } as Record<string, string>,
    'data-kind': kind,
    closeButtonProps: { 'aria-label': textsNow(words).close },
    role: kind === 'danger' ? 'alert' : 'status',
  })
}

const body = (line?: string, action?: ReactNode) =>
  createElement('span', { className: classes.line }, line && createElement('span', null, line), action)
