/** Names of mail headers as programs write them, in small letters, and what each says. */
export const MAIL_HEADER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    from: 'from|von|de|da|van|från|fra|od|lähettäjä|от|от кого|差出人|发件人|寄件者|보낸 사람',
    to: 'to|an|à|para|a|aan|till|til|do|кому|宛先|收件人|收件者|받는 사람',
    cc: 'cc|kopie|copie|копия|抄送|副本',
    bcc: 'bcc|密送',
    subject:
      'subject|betreff|betr|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|aihe|тема|件名|主题|主旨|제목',
    date: 'date|sent|datum|gesendet|envoyé|enviado|inviato|data|fecha|verzonden|skickat|sendt|дата|отправлено|日時|日期|날짜',
    'reply to': 'reply-to|antwort an',
    technical:
      'message-id|in-reply-to|references|mime-version|content-type|content-transfer-encoding|return-path|received|' +
      'delivered-to|x-mailer|user-agent|list-id|list-unsubscribe|thread-topic|importance|priority|organization'
  }).flatMap(([meaning, names]) => names.split('|').map((name): [string, string] => [name, meaning]))
)
