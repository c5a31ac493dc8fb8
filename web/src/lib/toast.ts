import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { createElement, type ReactNode } from 'react'
import { errorText } from './errors.ts'
import { currentTexts, defineTexts } from './texts.ts'
import classes from './toast.module.css'

const words = defineTexts({ es: { close: 'Cerrar' }, pt: { close: 'Fechar' }, en: { close: 'Close' } })

type ToastKind = 'ok' | 'info' | 'danger' | 'warn'
/** An action that can run once; it closes the toast. */
type ToastAction = { label: string; run: () => void }
type ToastOptions = { id?: string; icon?: ReactNode; action?: ToastAction; isPersistent?: boolean; lasts?: number }

const icons = { ok: IconCircleCheck, info: IconInfoCircle, danger: IconAlertCircle, warn: IconAlertCircle }

/** Toasts stay for three seconds, errors for six, and all of them while hovered (design 8). */
export const toast = {
  ok: (title: string, line?: string, options?: ToastOptions) => show('ok', title, line, options),
  info: (title: string, line?: string, options?: ToastOptions) => show('info', title, line, options),
  warn: (title: string, line?: string, options?: ToastOptions) => show('warn', title, line, options),
  /** Accepts any thrown value; cancelled calls show nothing. */
  error: (error: unknown, title?: string) => {
    if (error instanceof DOMException && error.name === 'AbortError') return
    const text = errorText(error)
    // The same failure of ten parallel calls shows only one toast.
    show('danger', title ?? text, title ? text : undefined, { id: `error-${text}` })
  },
  hide: (id: string): void => {
    notifications.hide(id)
  },
}

let toastCount = 0

function show(kind: ToastKind, title: string, line?: string, options: ToastOptions = {}): void {
  const id = options.id ?? `toast-${++toastCount}`
  if (options.id) notifications.hide(id)
  const { action } = options
  const runAction =
    action &&
    (() => {
      notifications.hide(id)
      action.run()
    })
  notifications.show({
    id,
    title,
    message: line || action ? body(line, action && button(action.label, runAction)) : null,
    icon: options.icon ?? createElement(icons[kind], { size: 20, stroke: 1.75 }),
    autoClose: options.isPersistent ? false : (options.lasts ?? (kind === 'danger' ? 6000 : 3000)),
    classNames: {
      root: classes.root,
      icon: classes.icon,
      body: classes.body,
      title: classes.title,
      description: classes.description,
      closeButton: classes.closeButton,
    } as Record<string, string>,
    'data-kind': kind,
    closeButtonProps: { 'aria-label': currentTexts(words).close },
    role: kind === 'danger' ? 'alert' : 'status',
  })
}

const button = (label: string, onClick: (() => void) | undefined) =>
  createElement('button', { type: 'button', className: classes.action, onClick }, label)

const body = (line?: string, action?: ReactNode) =>
  createElement('span', { className: classes.line }, line && createElement('span', null, line), action)
