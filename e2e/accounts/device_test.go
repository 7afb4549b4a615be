package accounts_test

import (
	"strings"
	"testing"

	"vitae.internal/e2e/internal/browser"
)

// labels holds the accessible names of the pages in one language.
type labels struct {
	language, direction                    string
	signIn, createLink, forgotLink         string
	name, email, password, create          string
	mailbox, confirmHeading, confirm       string
	allow                                  string
	resetSend, newPassword, savePassword   string
	account, current, change, changed      string
	showPassword, short, wrong             string
	signUpSubject, takenSubject, resetMail string
	changedSubject                         string
	sessions, signOut, everywhere          string
	addPasskey, createPasskey              string
	usePasskey, cancelled, added           string
	remove, yesRemove, keepPasskey         string
	removePassword, noPassword             string
	setPassword, rename, saveName, goOn    string
	deleteAccount, sureDelete, keepAccount string
	isItYou, continues, showPasskey        string
	activity, newPasskey, passkeyInstead   string
	passkeyAdded                           string
}

var english = labels{
	language: "en", direction: "ltr", signIn: "Sign in", createLink: "Create an account", forgotLink: "Forgot your password?",
	name: "Name", email: "Email", password: "Password", create: "Create account",
	mailbox: "Check your email", confirmHeading: "Confirm your email address", confirm: "Confirm and sign in", allow: "Allow",
	resetSend: "Send link", newPassword: "New password", savePassword: "Save new password",
	account: "Account", current: "Current password", change: "Change password", changed: "Password changed.",
	showPassword: "Show password", short: "Use at least 10 characters.", wrong: "The current password is incorrect.",
	signUpSubject: "Confirm your email address", takenSubject: "You already have an account", resetMail: "Choose a new password",
	changedSubject: "Your password was changed",
	sessions:       "Sessions", signOut: "Sign out", everywhere: "Sign out everywhere",
	addPasskey: "Add a passkey", createPasskey: "Create passkey", usePasskey: "Sign in with a passkey",
	cancelled: "The request was canceled or took too long.", added: "Passkey added.", remove: "Remove", yesRemove: "Yes, remove", keepPasskey: "Nothing was removed",
	removePassword: "Remove password", noPassword: "Your account has no password.",
	setPassword: "Set a password", rename: "Rename", saveName: "Save name", goOn: "You can continue now.",
	deleteAccount: deleteButton, sureDelete: sureButton, keepAccount: keepButton,
	isItYou: "Confirm it’s you", continues: "Continue", showPasskey: "Use a passkey", activity: "Account activity", newPasskey: "Passkey added",
	passkeyInstead: "Create a passkey instead", passkeyAdded: "A passkey was added",
}

var arabic = labels{
	language: "ar", direction: "rtl", signIn: "تسجيل الدخول", createLink: "إنشاء حساب", forgotLink: "هل نسيت كلمة المرور؟",
	name: "الاسم", email: "البريد الإلكتروني", password: "كلمة المرور", create: "إنشاء الحساب",
	mailbox: "راجع بريدك الإلكتروني", confirmHeading: "تأكيد عنوان بريدك الإلكتروني", confirm: "التأكيد وتسجيل الدخول", allow: "السماح",
	resetSend: "إرسال الرابط", newPassword: "كلمة المرور الجديدة", savePassword: "حفظ كلمة المرور الجديدة",
	account: "الحساب", current: "كلمة المرور الحالية", change: "تغيير كلمة المرور", changed: "تغيّرت كلمة مرورك.",
	showPassword: "إظهار كلمة المرور", short: "استخدم 10 أحرف على الأقل.", wrong: "كلمة المرور الحالية غير صحيحة.",
	signUpSubject: "تأكيد عنوان بريدك الإلكتروني", takenSubject: "لديك حساب بالفعل", resetMail: "اختيار كلمة مرور جديدة",
	changedSubject: "تغيّرت كلمة مرورك",
	sessions:       "الجلسات", signOut: "تسجيل الخروج", everywhere: "تسجيل الخروج من كل مكان",
	addPasskey: "إضافة مفتاح مرور", createPasskey: "إنشاء مفتاح المرور", usePasskey: "تسجيل الدخول بمفتاح مرور",
	cancelled: "أُلغي الأمر أو استغرق وقتًا طويلًا.", added: "أُضيف مفتاح مرورك.", remove: "إزالة", yesRemove: "نعم، أزِله", keepPasskey: "لم يُزل شيء",
	removePassword: "إزالة كلمة المرور", noPassword: "ليست لحسابك كلمة مرور.",
	setPassword: "تعيين كلمة مرور", rename: "إعادة تسمية", saveName: "حفظ الاسم", goOn: "يمكنك المتابعة الآن.",
	deleteAccount: "حذف حسابي", sureDelete: "نعم، احذف حسابي", keepAccount: "الاحتفاظ بحسابي",
	isItYou: "هل هذا أنت؟", continues: "متابعة", showPasskey: "استخدام مفتاح مرور", activity: "نشاط حسابك", newPasskey: "إضافة مفتاح مرور",
	passkeyInstead: "إنشاء مفتاح مرور بدلًا من ذلك", passkeyAdded: "أُضيف مفتاح مرور",
}

// device is a real browser that a person uses in one language.
type device struct {
	*browser.Browser
	labels
	t        *testing.T
	noScript bool
}

func newDevice(t *testing.T, l labels, o browser.Options) device {
	t.Helper()
	o.Language = l.language
	return device{browser.Start(t, o), l, t, o.NoScript}
}

// checkPage checks the language, direction, width and accessibility of the current page.
func (d device) checkPage(what string) {
	d.t.Helper()
	if d.Lang() != d.language || d.Direction() != d.direction {
		d.t.Errorf("%s: lang %q, dir %q", what, d.Lang(), d.Direction())
	}
	if d.Overflow() > 0 {
		d.t.Errorf("%s is wider than the window by %d pixels", what, d.Overflow())
	}
	if d.noScript {
		return // axe-core needs JavaScript
	}
	for _, fault := range d.Inaccessible() {
		d.t.Errorf("%s: %s", what, fault)
	}
}

// send fills in fields, given as pairs of name and value, and presses a button.
func (d device) send(button string, fields ...string) {
	d.t.Helper()
	for i := 0; i < len(fields); i += 2 {
		d.Find("textbox", fields[i]).Fill(fields[i+1])
	}
	d.Find("button", button).Click()
}

// until waits until the page contains the given text.
func (d device) until(text string) {
	d.t.Helper()
	d.Until("the text "+text, func() bool { return strings.Contains(d.Text(), text) })
}
