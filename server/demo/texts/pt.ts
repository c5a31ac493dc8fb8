import type { Vocabulary } from './vocabulary.ts'

export const portugueseVocabulary: Vocabulary = {
  names: [
    'Isadora Quintanilha',
    'Caio Bittencourt Luz',
    'Mariana Estrela',
    'Otávio Severo',
    'Lívia Damasceno',
    'Henrique Pacífico',
    'Beatriz Novais',
    'Davi Cordeiro',
    'Yasmin Torquato',
    'Murilo Vasques',
    'Helena Bragança',
    'Tiago Sampaio Reis',
    'Larissa Moura Brito',
    'Vinícius Caldas',
    'Clarice Abrantes',
    'Rafael Monteverde',
    'Eduarda Peixoto',
    'Igor Lacerda',
    'Manuela Fontoura',
    'Samuel Pimentel',
  ],
  cities: ['Porto Alegre', 'Curitiba', 'Florianópolis', 'Campinas', 'Pelotas', 'Santos'],
  fields: ['Cidade', 'Viaja com', 'Aniversário', 'Documento'],
  company: ['a família', 'dois filhos', 'um cachorro', 'amigos', 'a avó'],
  lodges: ['o chalé do Riacho', 'o chalé da Araucária', 'o quarto com vista para o lago', 'a casa grande'],
  trips: [
    'a caminhada ao Mirante do Gavião',
    'a volta ao lago de caiaque',
    'a trilha das Cascatas',
    'a saída de aves ao amanhecer',
    'a cavalgada até a Lagoa Mansa',
  ],
  days: ['na sexta', 'no sábado', 'no domingo', 'na segunda', 'na quinta', 'no feriado'],
  rating: 'Como foi o atendimento?\n\n*1* Insatisfeito\n*2* Satisfeito\n*3* Muito satisfeito',
  thanks: 'Obrigado por escrever. Tenha um ótimo dia.',
  menu: 'Oi, aqui é a Valle Bruma. Escolha uma opção e uma pessoa vai te atender.\n\nDigite o número da sua opção:\n*1* Reservas\n*2* Excursiones\n*3* Pagos\n*4* Atención al viajero',
  scripts: `
# reservas, Familia, Espera seña
< Oi, tudo bem? Vocês têm vaga {day} para {n} pessoas?
> Oi {first}, tudo ótimo. Tenho {lodge} livre, com café da manhã.
< Quanto fica?
> USD {price} por duas noites. Dá para pagar o sinal por Pix.
< Perfeito! Pode mandar a chave?
> Chave: pagamentos@vallebruma.example, no nome de Valle Bruma.
! Vêm de carro desde Porto Alegre. Chegam tarde.
~ 2h
<image receipt | Feito 🙌
> Chegou. Reserva {code} confirmada.
< Obrigada!! Estamos contando os dias [❤️]

# reservas
< Boa tarde, dá para adiantar a minha reserva {code} um dia?
> Boa tarde {first}, deixa eu ver.
> Dá sim. {lodge} está livre desde a véspera.
< Que bom! E muda o valor?
> Só a noite a mais: USD {half}.
< Fechado

# reservas, Vuelve cada año
< Oi pessoal, voltamos este ano! Aquele chalé do ano passado ainda está de pé? 😄
> Oi {first}! De pé e de telhado novo.
>image cabin
< Aii que lindo. Queremos {day}, os mesmos {n}
> Separei para vocês. Levo lenha extra, como da outra vez.
< Vocês são demais

# reservas, Grupo
< Olá, somos {n} da faculdade, qual o melhor preço?
> Olá {first}! Para grupo a casa grande sai melhor: USD {price} a noite, para todos.
<audio 8
> Tem churrasqueira sim, e a lenha está incluída.
< Show, vou falar com a turma [re 2]

# excursiones
< Bom dia! {trip} sai {day}?
> Bom dia {first}! Sai às 8h30, da recepção.
< Minha mãe tem 67, consegue?
> Consegue. É plano, e a gente para bastante para as fotos.
< Então somos {n}
> Anotado. Levem protetor e um casaco.
~ 2d
<image valley | Valeu demais, minha mãe amou!
> Que foto linda. Um abraço para ela ❤️

# excursiones
< Com chuva a saída cancela?
> Oi {first}, chuva fraca não. Se for forte, a gente remarca sem custo.
< E até que horas vocês avisam?
> Até as 7h, por aqui mesmo.
< Combinado 👍

# excursiones
<image lake | Que lugar é esse? Vi numa foto e quero ir
> Oi {first}! É a Lagoa Mansa, dá para ir a cavalo.
< Nunca montei 😬
> Tem um cavalo que só anda, chama Domingo. Ninguém cai dele.
< Hahaha pode marcar {n} para {day}
> Marcado. Calça comprida e sapato fechado, por favor.

# excursiones
< Oi, perdi a van? Estou aqui
<place Praça do coreto
> Oi {first}, não perdeu. Está na outra esquina, é a branca.
< Achei, ufa

# pagos, Factura
< Preciso da nota da reserva {code}, por favor
> Oi {first}, no seu nome ou no da empresa?
< No meu mesmo
>paper Nota {code}.pdf | Aqui está.
< Recebido, obrigado!

# pagos
< Fiz o Pix duas vezes sem querer 😩
<image receipt
> Oi {first}, fica tranquilo, chegou em dobro mesmo. Devolvo o segundo agora.
~ 1h
> Devolvido, USD {half}.
< Caiu aqui! Muito obrigado

# viajeros
< Oi, esqueci o carregador no quarto 🤦
> Oi {first}, achamos! Quer que eu envie?
< Pode ser pelo ônibus das 18h? Alguém pega na rodoviária
<card Marina Sobral | 5500900000777
> Pode. Vai no nome da Marina então.
< Perfeito, obrigada

# viajeros
<call
< Liguei sem querer, desculpa
> Sem problema {first}. Está tudo bem por aí?
< Tudo ótimo! Só o chuveiro que demora a esquentar
> Demora um minutinho mesmo, a água vem da serra. Se passar de três me avisa.
< Esquentou 😅 obrigada

# viajeros, Urgente
< A estrada está fechada por causa da árvore, conseguem ajudar?
> Oi {first}, sim. Peguem a entrada de trás.
>place Portão de trás
> O Ramón está lá com uma lanterna.
< Vimos ele. Salvou a noite!
`,
}
