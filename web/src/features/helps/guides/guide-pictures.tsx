import { bubblePath } from '../../../ui/bubbles.tsx'
import type { GuideId } from './guide-ids.ts'
import classes from './guides.module.css'

// Drawn with the colors of the theme, without words: one picture serves every language, light and dark.

type Tone = 'surface' | 'sunken' | 'line' | 'ink' | 'accent' | 'soft' | 'ok' | 'warn' | 'danger' | 'out'
const fills: Record<Tone, string> = {
  surface: 'var(--rc-surface)',
  sunken: 'var(--rc-sunken)',
  line: 'var(--rc-line-2)',
  ink: 'var(--rc-ink-3)',
  accent: 'var(--rc-accent)',
  soft: 'var(--rc-accent-soft-2)',
  ok: 'var(--rc-ok-mark)',
  warn: 'var(--rc-warn-mark)',
  danger: 'var(--rc-danger-mark)',
  out: 'var(--rc-bubble-out)',
}
type Box = { x: number; y: number; w: number; h: number; tone?: Tone; r?: number }

const Card = ({ x, y, w, h, tone = 'surface', r = 12 }: Box) => (
  <rect x={x} y={y} width={w} height={h} rx={r} fill={fills[tone]} stroke="var(--rc-line-2)" />
)
const Fill = ({ x, y, w, h, tone = 'line', r = h / 2 }: Box) => (
  <rect x={x} y={y} width={w} height={h} rx={r} fill={fills[tone]} />
)
const Dot = ({ x, y, r, tone }: { x: number; y: number; r: number; tone: Tone }) => (
  <circle cx={x} cy={y} r={r} fill={fills[tone]} />
)
const Line = ({ d, tone = 'ink' }: { d: string; tone?: Tone }) => (
  <path d={d} fill="none" stroke={fills[tone]} strokeWidth={3} strokeLinecap="round" strokeLinejoin="round" />
)
const Arrow = ({ x, y }: { x: number; y: number }) => <Line d={`M${x} ${y}h44m-12 -10l12 10l-12 10`} tone="accent" />
const Check = ({ x, y, tone = 'ok' }: { x: number; y: number; tone?: Tone }) => (
  <>
    <Dot x={x} y={y} r={13} tone={tone} />
    <path d={`M${x - 6} ${y}l4 5l8 -9`} fill="none" stroke="var(--rc-surface)" strokeWidth={3} strokeLinecap="round" />
  </>
)
const Sign = ({
  x,
  y,
  text,
  tone = 'ink',
  size = 20,
}: {
  x: number
  y: number
  text: string
  tone?: Tone
  size?: number
}) => (
  <text x={x} y={y} fill={fills[tone]} fontSize={size} fontWeight={700} textAnchor="middle">
    {text}
  </text>
)
const Phone = ({ x }: { x: number }) => (
  <>
    <Card x={x} y={24} w={120} h={212} r={20} />
    <Fill x={x + 44} y={34} w={32} h={5} />
  </>
)
const Person = ({ x, y, tone }: { x: number; y: number; tone: Tone }) => (
  <>
    <Dot x={x} y={y - 16} r={13} tone={tone} />
    <path d={`M${x - 24} ${y + 22}a24 20 0 0 1 48 0z`} fill={fills[tone]} />
  </>
)

/** A fixed pattern that looks like a QR code. */
const qrRows = [0b1110111, 0b1010101, 0b1110011, 0b0001010, 0b1101101, 0b1010110, 0b1110101]
const qrCells = qrRows.flatMap((bits, row) =>
  [0, 1, 2, 3, 4, 5, 6].flatMap((column) => ((bits >> column) & 1 ? [{ row, column }] : [])),
)

function FirstLine() {
  return (
    <>
      <Phone x={96} />
      {qrCells.map(({ row, column }) => (
        <rect key={`${row}.${column}`} x={121 + column * 10} y={88 + row * 10} width={9} height={9} fill={fills.ink} />
      ))}
      <Arrow x={244} y={130} />
      <Card x={320} y={48} w={232} h={164} />
      <Fill x={344} y={72} w={90} h={10} tone="ink" />
      <Check x={524} y={77} />
      {[112, 148, 184].map((y, i) => (
        <g key={y}>
          <Dot x={356} y={y} r={11} tone={i === 0 ? 'accent' : 'soft'} />
          <Fill x={378} y={y - 9} w={i === 1 ? 90 : 120} h={7} tone="ink" />
          <Fill x={378} y={y + 4} w={i === 1 ? 140 : 100} h={6} />
        </g>
      ))}
    </>
  )
}

function TestPhone() {
  return (
    <>
      <Phone x={96} />
      <Fill x={112} y={64} w={64} h={26} r={9} tone="line" />
      <Fill x={136} y={100} w={64} h={26} r={9} tone="out" />
      <Fill x={112} y={136} w={48} h={26} r={9} tone="line" />
      <Fill x={112} y={196} w={70} h={22} r={11} tone="sunken" />
      <Dot x={194} y={207} r={11} tone="accent" />
      <Arrow x={244} y={130} />
      <Card x={320} y={36} w={232} h={188} />
      <Line d="M352 76v114" tone="line" />
      {(['accent', 'soft', 'warn', 'ok'] satisfies Tone[]).map((tone, i) => (
        <g key={tone}>
          <Dot x={352} y={70 + i * 42} r={12} tone={tone} />
          <Fill x={378} y={60 + i * 42} w={132 - (i % 2) * 38} h={8} tone="ink" />
          <Fill x={378} y={75 + i * 42} w={86 + (i % 2) * 40} h={6} />
        </g>
      ))}
    </>
  )
}

function QueueMenu() {
  const targets: Tone[] = ['accent', 'warn', 'ok']
  return (
    <>
      <Phone x={80} />
      <path d="M92 60h96a10 10 0 0 1 10 10v92a10 10 0 0 1-10 10h-96z" fill={fills.out} />
      {targets.map((tone, i) => (
        <g key={tone}>
          <Sign x={108} y={93 + i * 30} text={String(i + 1)} size={15} />
          <Fill x={122} y={84 + i * 30} w={56 - i * 8} h={8} tone="ink" />
          <Line d={`M212 ${88 + i * 30}C280 ${88 + i * 30} 270 ${62 + i * 68} 336 ${62 + i * 68}`} tone={tone} />
          <Card x={340} y={36 + i * 68} w={208} h={52} />
          <Fill x={340} y={36 + i * 68} w={8} h={52} r={4} tone={tone} />
          <Fill x={366} y={52 + i * 68} w={84} h={9} tone="ink" />
          <Fill x={366} y={68 + i * 68} w={54} h={6} />
          <Dot x={500} y={62 + i * 68} r={12} tone="soft" />
          <Dot x={522} y={62 + i * 68} r={12} tone={tone} />
        </g>
      ))}
      <Fill x={150} y={186} w={44} h={26} r={10} tone="accent" />
      <text x={172} y={204} fill="var(--rc-ink-on)" fontSize={14} fontWeight={700} textAnchor="middle">
        2
      </text>
    </>
  )
}

function Invite() {
  return (
    <>
      <Card x={96} y={64} w={190} h={132} />
      <Line d="M104 74l87 70l87 -70" tone="accent" />
      <Arrow x={310} y={130} />
      <Person x={424} y={138} tone="soft" />
      <Person x={484} y={126} tone="accent" />
      <Person x={544} y={138} tone="soft" />
      <Check x={484} y={186} />
    </>
  )
}

function Answer() {
  return (
    <>
      <Card x={72} y={28} w={176} h={204} />
      <Fill x={80} y={84} w={160} h={44} r={8} tone="soft" />
      {[62, 106, 150, 194].map((y, i) => (
        <g key={y}>
          <Dot x={102} y={y} r={12} tone={i === 1 ? 'accent' : 'line'} />
          <Fill x={124} y={y - 10} w={i % 2 ? 84 : 66} h={7} tone="ink" />
          <Fill x={124} y={y + 4} w={i % 2 ? 62 : 92} h={6} />
        </g>
      ))}
      <Card x={264} y={28} w={304} h={204} />
      <Fill x={284} y={44} w={84} h={9} tone="ink" />
      <Line d="M458 42h22m-7 -6l7 6l-7 6M480 56h-22m7 -6l-7 6l7 6" tone="ink" />
      <Check x={534} y={50} />
      <Fill x={284} y={80} w={122} h={30} r={10} tone="line" />
      <Fill x={410} y={120} w={138} h={30} r={10} tone="out" />
      <Fill x={284} y={160} w={158} h={24} r={8} tone="warn" />
      <Fill x={284} y={196} w={214} h={24} r={10} tone="sunken" />
      <Fill x={506} y={196} w={42} h={24} r={8} tone="accent" />
      <path d="M520 208l14 -7l-4 7l4 7z" fill="var(--rc-ink-on)" />
    </>
  )
}

function QuickReplies() {
  return (
    <>
      <Card x={120} y={28} w={400} h={128} />
      {[0, 1, 2].map((i) => (
        <g key={i}>
          {i === 1 && <Fill x={130} y={70} w={380} h={40} r={8} tone="soft" />}
          <Sign x={156} y={57 + i * 40} text="/" tone={i === 1 ? 'accent' : 'ink'} />
          <Fill x={172} y={46 + i * 40} w={64 + i * 14} h={9} tone={i === 1 ? 'accent' : 'ink'} />
          <Fill x={290} y={47 + i * 40} w={200 - i * 24} h={7} />
        </g>
      ))}
      <Card x={120} y={176} w={400} h={56} />
      <Sign x={146} y={212} text="/" tone="accent" size={24} />
      <Fill x={160} y={200} w={30} h={9} tone="ink" />
      <Line d="M198 192v24" tone="accent" />
      <Fill x={444} y={190} w={60} h={28} r={8} tone="accent" />
      <path d="M466 204l16 -8l-5 8l5 8z" fill="var(--rc-ink-on)" />
    </>
  )
}

function Hours() {
  const open = [1, 1, 1, 1, 1, 0.5, 0]
  return (
    <>
      <Card x={104} y={32} w={432} h={196} />
      {open.map((share, day) => {
        const x = 128 + day * 56
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week never change places
          <g key={day}>
            <Fill x={x} y={52} w={32} h={8} tone="ink" />
            <Fill x={x} y={76} w={32} h={132} r={8} tone="sunken" />
            {share > 0 && <Fill x={x} y={100} w={32} h={share === 1 ? 36 : 48} r={6} tone="accent" />}
            {share === 1 && <Fill x={x} y={148} w={32} h={36} r={6} tone="accent" />}
          </g>
        )
      })}
      <path d="M484 128a18 18 0 1 0 14 28a15 15 0 0 1 -14 -28z" fill={fills.warn} />
    </>
  )
}

function Campaigns() {
  const heights = [14, 24, 38, 56, 78, 104]
  return (
    <>
      <Card x={96} y={32} w={300} h={196} />
      {heights.map((height, i) => (
        <Fill key={height} x={124 + i * 42} y={204 - height} w={24} h={height} r={5} tone={i < 2 ? 'soft' : 'accent'} />
      ))}
      <Line d="M120 78h252" tone="warn" />
      <path
        d="M484 44l64 22v52c0 44 -30 74 -64 92c-34 -18 -64 -48 -64 -92v-52z"
        fill={fills.soft}
        stroke="var(--rc-accent)"
        strokeWidth={3}
      />
      <Line d="M456 126l20 22l38 -44" tone="accent" />
    </>
  )
}

function Reports() {
  const heights = [60, 92, 74, 120, 88, 104, 52]
  return (
    <>
      {[0, 1, 2].map((i) => (
        <g key={i}>
          <Card x={88 + i * 160} y={24} w={144} h={68} />
          <Fill x={104 + i * 160} y={40} w={64} h={7} />
          <Fill x={104 + i * 160} y={58} w={44 + i * 12} h={18} r={5} tone="ink" />
        </g>
      ))}
      <Card x={88} y={108} w={464} h={132} />
      {heights.map((height, i) => (
        <Fill
          key={height}
          x={116 + i * 60}
          y={224 - height * 0.84}
          w={34}
          h={height * 0.84}
          r={5}
          tone={i === 3 ? 'accent' : 'soft'}
        />
      ))}
      <path
        d="M322 150l26 11l-11 4l7 12l-6 3l-6 -12l-8 8z"
        fill={fills.ink}
        stroke="var(--rc-surface)"
        strokeWidth={1.5}
      />
    </>
  )
}

function Moving() {
  return (
    <>
      <Card x={88} y={48} w={180} h={164} tone="sunken" />
      {[0, 1, 2, 3].map((i) => (
        <g key={i}>
          <Dot x={114} y={78 + i * 35} r={10} tone="line" />
          <Fill x={134} y={70 + i * 35} w={70 + (i % 2) * 30} h={7} />
          <Fill x={134} y={83 + i * 35} w={100 - (i % 2) * 30} h={6} />
        </g>
      ))}
      <Arrow x={298} y={130} />
      <Card x={372} y={48} w={180} h={164} />
      <path d={bubblePath} transform="translate(432 72) scale(1)" fill={fills.accent} />
      <Fill x={404} y={152} w={116} h={9} tone="ink" />
      <Fill x={420} y={172} w={84} h={7} />
      <Check x={540} y={204} />
    </>
  )
}

const pictures: Record<GuideId, () => React.JSX.Element> = {
  'first-line': FirstLine,
  'test-phone': TestPhone,
  'queue-menu': QueueMenu,
  invite: Invite,
  answer: Answer,
  'quick-replies': QuickReplies,
  hours: Hours,
  campaigns: Campaigns,
  reports: Reports,
  moving: Moving,
}

export function GuidePicture({ id }: { id: GuideId }) {
  const Picture = pictures[id]
  return (
    <svg aria-hidden="true" viewBox="0 0 640 260" className={classes.picture}>
      <Picture />
    </svg>
  )
}
